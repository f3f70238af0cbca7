"""The longest calls, found piece by piece."""

import numpy as np
from numpy.typing import NDArray

from .columns import Columns, Integers


class Longest:
    """The longest calls of all, and the longest few of each call."""

    def __init__(self, listed: NDArray[np.bool_], of_all: int = 200, of_each: int = 5) -> None:
        """`listed` tells of each of the trace's calls whether it is looked at."""
        self._listed = listed
        self._of_all, self._of_each = of_all, of_each
        self._found = Columns.joined([])

    def add(self, calls: Columns) -> None:
        """Look through these calls."""
        calls = calls.take(self._listed[calls.call])
        together = Columns.joined([self._found, calls.take(self._pick(calls))])
        self._found = together.take(self._pick(together))

    def _pick(self, calls: Columns) -> Integers:
        took = calls.end - calls.begin
        picked = [_longest(took, self._of_all)]
        for call in np.unique(calls.call):
            of_call = np.flatnonzero(calls.call == call)
            picked.append(of_call[_longest(took[of_call], self._of_each)])
        return np.unique(np.concatenate(picked))

    def calls(self) -> Columns:
        """The longest first."""
        return self._found.take(np.argsort(self._found.begin - self._found.end, kind="stable"))


def _longest(took: Integers, count: int) -> Integers:
    if len(took) <= count:
        return np.arange(len(took))
    return np.argpartition(took, -count)[-count:]
