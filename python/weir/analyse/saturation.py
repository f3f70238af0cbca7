"""From which value of an axis on more of it brings no more: the point of saturation.

Rule: the smallest value that is, with every greater one up to the best, as good as the best (see
paired.Standing: alike, surely within 10 %). Whatever is surely below the best lies before the point. Values
of which neither is sure leave the point open between them: the answer is then a range of values.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from weir.analyse.paired import Standing


@dataclass(frozen=True)
class Saturation:
    """Indices of values in their order. The point is one from `first` to `last`, the same if it is certain;
    `best` is the value with the best median."""

    first: int
    last: int
    best: int
    values: int

    @property
    def settled(self) -> bool:
        """Whether the point is certain."""
        return self.first == self.last

    @property
    def unknown(self) -> bool:
        """Whether nothing is certain: the point may be anywhere up to the best."""
        return not self.settled and self.first == 0 and self.last >= self.best

    @property
    def at_edge(self) -> bool:
        """Whether surely only the greatest value reaches the best: more might bring more."""
        return self.settled and self.first == self.values - 1 > 0


def find_saturation(
    medians: Sequence[float], standings: Sequence[Standing], may_exceed: Sequence[bool]
) -> Saturation | None:
    """Where a curve saturates: the medians of growing values of the axis, the greater the better, how each
    stands to the best, and whether noise leaves room for its being better than that; None for fewer than two
    values or where nothing was moved at all."""
    if len(medians) < 2 or max(medians) <= 0:
        return None
    best = max(range(len(medians)), key=medians.__getitem__)
    last = best
    while last > 0 and standings[last - 1] is Standing.ALIKE:
        last -= 1
    below = [index for index in range(last) if standings[index] is Standing.BELOW]
    better = [index for index in range(best + 1, len(medians)) if may_exceed[index]]
    last = max(better, default=last)
    return Saturation(first=max(below, default=-1) + 1, last=last, best=best, values=len(medians))
