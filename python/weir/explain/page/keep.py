"""Which calls a page holds one by one: all where they fit; of more, the longest and regular parts."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .columns import Calls, Columns

PART = 1024
"""Calls that stand together in a lane are kept or left out together, this many."""
_LADDER = 8  # steps of the histogram of durations, in each doubling


@dataclass(frozen=True)
class Choice:
    """Those that took at least `least_ns`, and of each 1/`share` parts one."""

    least_ns: int = 0
    share: float = 1.0

    def mask(self, calls: Columns, first: int) -> NDArray[np.bool_]:
        """Which of these calls, the trace's `first` and those after it, are kept."""
        part = (first + np.arange(len(calls))) // PART
        chosen = np.floor((part + 1) * self.share) > np.floor(part * self.share)
        kept: NDArray[np.bool_] = chosen | (calls.end - calls.begin >= self.least_ns)
        return kept


class Durations:
    """How many calls took how long."""

    def __init__(self) -> None:
        self._counts = np.zeros(64 * _LADDER + 1, np.int64)

    def add(self, calls: Columns) -> None:
        """Count these in."""
        took = np.maximum(calls.end - calls.begin, 1)
        self._counts += np.bincount((np.log2(took) * _LADDER).astype(np.int64), minlength=len(self._counts))

    def choice(self, count: int) -> Choice:
        """One that keeps about `count` calls: half of them for their length, half in parts."""
        if self._counts.sum() <= count:
            return Choice()
        at_least = np.cumsum(self._counts[::-1])[::-1]
        step = int(np.argmax(at_least <= count // 2))
        least = int(2 ** (step / _LADDER)) + 1
        rest = int(self._counts.sum()) - int(at_least[step])
        return Choice(least, min(1.0, (count - int(at_least[step])) / max(rest, 1)))


def chosen(calls: Calls, choice: Choice) -> Columns:
    """The calls that are kept, lane by lane."""
    return Columns.joined(list(_chosen(calls, choice)))


def _chosen(calls: Calls, choice: Choice) -> Iterator[Columns]:
    first = 0
    for piece in calls:
        yield piece if choice == Choice() else piece.take(choice.mask(piece, first))
        first += len(piece)
