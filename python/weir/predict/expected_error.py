"""How far off a forecast is to be expected: learnt from workloads of which forecast and program were measured
in turns, and checked on each of them with what the others teach.

A workload counts once, by the median of its errors: its samples share what the benchmark cannot express. Of
n workloads, the least and the greatest error enclose that of the next one with probability (n - 1) / (n + 1),
however errors are distributed, if it is drawn as they were. Pure.
"""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

FEWEST = 4
"""Workloads from which an interval is learnt; with these it holds three times in five."""
FEWEST_ALIKE = 9
"""Workloads of one kind that are preferred to all that are known; with these it holds four times in five."""
ALMOST_ONE = 0.995
"""What loses less in each aspect loses nothing that a forecast could tell."""
EXACT, RANDOM_SIZES = "exact", "random sizes"


@dataclass(frozen=True)
class Observed:
    """One workload: what its imitation loses most, and its errors, forecast over measured time minus 1."""

    workload: str
    kind: str
    errors: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """Forecast over measured, the median."""
        return 1 + statistics.median(self.errors)


@dataclass(frozen=True)
class Expected:
    """An error that is to be expected, and where it lies with this probability."""

    error: float
    low: float
    high: float
    probability: float
    workloads: int
    of_kind: bool
    """Whether these workloads lose the same; else all that are known."""

    def holds(self, error: float) -> bool:
        """Does it lie within?"""
        return self.low <= error <= self.high


def kind_of(fidelity: Mapping[str, float], *, random_sizes: bool) -> str:
    """What an imitation loses most, by the fidelities of its aspects as `--json` has them."""
    if random_sizes:
        return RANDOM_SIZES
    aspects = {name: value for name, value in fidelity.items() if name != "overall"}
    least = min(aspects, key=lambda name: aspects[name])
    return EXACT if aspects[least] >= ALMOST_ONE else least


def expected(kind: str, known: Sequence[Observed]) -> Expected | None:
    """Of a workload of that kind, by others of it, or by all where they are too few; None where all are."""
    alike = [one for one in known if one.kind == kind]
    of_kind = len(alike) >= FEWEST_ALIKE
    ratios = [one.ratio for one in (alike if of_kind else known)]
    if len(ratios) < FEWEST or min(ratios) <= 0:
        return None
    middle = math.exp(statistics.median(map(math.log, ratios)))
    probability = (len(ratios) - 1) / (len(ratios) + 1)
    return Expected(middle - 1, min(ratios) - 1, max(ratios) - 1, probability, len(ratios), of_kind)


@dataclass(frozen=True)
class Check:
    """Of workloads left out one by one: how often the interval held, and how often it was to."""

    held: int
    of: int
    promised: float
    """The mean probability."""


def left_out(known: Sequence[Observed]) -> Check | None:
    """Each workload by what the others teach; None where they are too few."""
    found = [
        (made, one.ratio - 1)
        for one in known
        if (made := expected(one.kind, [other for other in known if other is not one]))
    ]
    if not found:
        return None
    held = sum(made.holds(error) for made, error in found)
    return Check(held, len(found), statistics.fmean(made.probability for made, _ in found))
