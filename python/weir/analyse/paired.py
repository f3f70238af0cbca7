"""How many times as large one quantity is as another that was measured in turns with it.

A machine drifts while it is measured. Samples of two cases that were taken one shortly after the other share
what it goes through, so that each pair of such neighbours gives a ratio, and the median of the ratios has an
interval of its own (statistics.estimate_median). It is narrower than what the intervals of the two medians
give, and holds where both drift.

Equal is not what cannot be distinguished: it takes an interval inside 1/ALIKE to ALIKE.
"""

from collections.abc import Sequence
from enum import StrEnum

from weir.analyse.statistics import CONFIDENCE, MedianEstimate, estimate_median

ALIKE = 1.1
"""Two quantities whose ratio is surely nearer to 1 are taken for equal: less matters to nobody who chooses
between two ways of storing data, and it is less than two runs of one case differ by on many machines."""


class Standing(StrEnum):
    """What an interval of a ratio says."""

    ABOVE = "above"
    BELOW = "below"
    ALIKE = "alike"
    OPEN = "open"


def standing_of(low: float | None, high: float | None) -> Standing:
    """What the interval of a ratio says; open where there is none. A difference that surely stays below ALIKE
    is none."""
    if low is None or high is None:
        return Standing.OPEN
    if low >= 1 / ALIKE and high <= ALIKE:
        return Standing.ALIKE
    if low > 1:
        return Standing.ABOVE
    return Standing.BELOW if high < 1 else Standing.OPEN


def neighbours(ones: Sequence[float], others: Sequence[float]) -> list[tuple[int, int]]:
    """Indices of samples that were taken next to each other, by their growing times in seconds: each is used
    once, and one whose neighbour has a nearer one is left out."""
    found, i, j = [], 0, 0
    while i < len(ones) and j < len(others):
        apart = abs(ones[i] - others[j])
        if i + 1 < len(ones) and abs(ones[i + 1] - others[j]) < apart and ones[i] < others[j]:
            i += 1
        elif j + 1 < len(others) and abs(others[j + 1] - ones[i]) < apart and others[j] < ones[i]:
            j += 1
        else:
            found.append((i, j))
            i, j = i + 1, j + 1
    return found


def ratio_of_neighbours(
    ones: Sequence[tuple[float, float]], others: Sequence[tuple[float, float]], confidence: float = CONFIDENCE
) -> MedianEstimate | None:
    """The median ratio of one over other, of samples (time in seconds, value), with its interval; None where
    no two are neighbours, or a value of `others` is 0."""
    pairs = neighbours([at for at, _ in ones], [at for at, _ in others])
    if any(others[j][1] == 0 for _, j in pairs):
        return None
    return estimate_median([ones[i][1] / others[j][1] for i, j in pairs], confidence)
