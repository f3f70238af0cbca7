"""From which value of an axis on more of it brings no more: the point of saturation.

The point is the smallest value of which two things are sure: every smaller one is worse than the best by more
than nobody minds (ALIKE, 10 %), and no greater one is better than it by more than that. The first is asked
from the smallest value on until the answer is no, so that each time the whole error may be spent (a fixed
sequence of tests); the second of all greater values at once, which share it. Both ask for one end of an
interval only, so that each is wrong in half of 5 %.

Where the second is not sure, the value is the point within a factor: how much better a greater one may be.

Source: W. Maurer, L. A. Hothorn and W. Lehmacher, Multiple comparisons in drug clinical trials and
preclinical assays: a-priori ordered hypotheses (1995), for the fixed sequence.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from weir.analyse.paired import ALIKE, NEAR
from weir.analyse.statistics import CONFIDENCE

Intervals = Callable[[int, int, float], tuple[float | None, float | None]]
"""The interval of one value over another, by their indices, with a confidence; null ends where there is
none."""


@dataclass(frozen=True)
class Saturation:
    """Indices of values in their order. The point is one from `first` to `last`, the same if it is certain;
    `best` is the value with the best median. `within`: from `first` on, no value is better by more than this
    factor; null if that is not known. `deciding`: the values whose samples would make the point certain."""

    first: int
    last: int
    best: int
    values: int
    within: float | None
    deciding: tuple[int, ...]

    @property
    def settled(self) -> bool:
        """Whether the point is certain."""
        return self.first == self.last

    @property
    def near(self) -> bool:
        """Whether the point is not certain, but nothing beyond `first` is much better."""
        return not self.settled and self.within is not None and self.within <= NEAR

    @property
    def unknown(self) -> bool:
        """Whether nothing is certain: no value is surely too small, and none surely enough but the
        greatest."""
        return not (self.settled or self.near) and self.first == 0 and self.last == self.values - 1

    @property
    def at_edge(self) -> bool:
        """Whether surely only the greatest value reaches the best: more might bring more."""
        return self.first == self.values - 1 > 0


def find_saturation(medians: Sequence[float], intervals: Intervals) -> Saturation | None:
    """Where a curve saturates: the medians of growing values of the axis, the greater the better; None for
    fewer than two values or where nothing was moved at all."""
    count = len(medians)
    if count < 2 or max(medians) <= 0:
        return None
    best = max(range(count), key=medians.__getitem__)
    first = 0
    while first < best and _surely_worse(intervals(first, best, CONFIDENCE)[1]):
        first += 1
    shared = 1 - (1 - CONFIDENCE) / max(count - 1 - first, 1)
    tops = {other: intervals(other, first, shared)[1] for other in range(first + 1, count)}
    last = next(value for value in range(first, count) if _enough(value, count, intervals, shared))
    known = [top for top in tops.values() if top is not None]
    return Saturation(
        first=first,
        last=last,
        best=best,
        values=count,
        within=max([1.0, *known]) if len(known) == len(tops) else None,
        deciding=tuple(sorted({first, best} | {at for at, top in tops.items() if not _no_better(top)})),
    )


def _surely_worse(top: float | None) -> bool:
    return top is not None and top < 1 / ALIKE


def _no_better(top: float | None) -> bool:
    return top is not None and top <= ALIKE


def _enough(value: int, count: int, intervals: Intervals, confidence: float) -> bool:
    """Whether no greater value is better; of the greatest that is sure."""
    return all(_no_better(intervals(other, value, confidence)[1]) for other in range(value + 1, count))
