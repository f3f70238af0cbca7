"""How many times as large one quantity is as another that was measured in turns with it.

A machine drifts while it is measured. Samples of two cases of one round were taken one shortly after the
other and share what it goes through, so that each pair of such neighbours gives a ratio, and the median of
the ratios has an interval of its own (statistics.estimate_median). It is narrower than what the intervals of
the two medians give, and holds where both drift.

Equal is not what cannot be distinguished: it takes an interval inside 1/ALIKE to ALIKE.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Protocol

from weir.analyse.statistics import CONFIDENCE, MedianEstimate, estimate_median

Turn = tuple[int, int]
"""A round of measurements, in which each case has its turn, and the number of a sample among the case's own
of that round."""
ALIKE = 1.1
"""Two quantities whose ratio is surely nearer to 1 are taken for equal: less matters to nobody who chooses
between two ways of storing data, and it is less than two runs of one case differ by on many machines."""

NEAR = 1.5
"""Two quantities whose ratio is surely nearer to 1 are not far apart: which is faster may be open, but who
chooses the wrong one loses no more than that."""


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


class Ranged(Protocol):
    """What has an interval, or nulls."""

    @property
    def low(self) -> float | None: ...

    @property
    def high(self) -> float | None: ...


def quotient_interval(top: Ranged, bottom: Ranged) -> tuple[float | None, float | None]:
    """The interval of `top` over `bottom`: opposite ends of theirs, null where one has none."""
    low = top.low / bottom.high if top.low is not None and bottom.high else None
    high = top.high / bottom.low if top.high is not None and bottom.low else None
    return low, high


def most_apart(low: float | None, high: float | None) -> float | None:
    """By which factor the two may differ at most; null without an interval."""
    return max(high, 1 / low) if low and high else None


def ratio_of_neighbours(
    ones: Mapping[Turn, float], others: Mapping[Turn, float], confidence: float = CONFIDENCE
) -> MedianEstimate | None:
    """The median ratio of one over other, of samples by their turns, with its interval; None where no turn
    has both, or a value of `others` is 0. What one of them took alone has no neighbour, and is left out."""
    both = sorted(ones.keys() & others.keys())
    if any(others[turn] == 0 for turn in both):
        return None
    return estimate_median([ones[turn] / others[turn] for turn in both], confidence)
