"""Sums by keys of which most are never used."""

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
MOST_WAITING = 1 << 16
_EXACT = float(1 << 53)
"""Sums up to here are exact in double precision."""


class Tally:
    """Takes no more room than there are keys in use."""

    def __init__(self) -> None:
        self._keys: Integers = np.zeros(0, np.int64)
        self._sums: Integers = np.zeros(0, np.int64)
        self._new: list[tuple[Integers, Integers]] = []
        self._waiting = 0

    def add(self, keys: Integers, values: Integers) -> None:
        """Add the values to their keys' sums."""
        self._new.append(_summed(keys, values))
        self._waiting += len(self._new[-1][0])
        if self._waiting > max(len(self._keys), MOST_WAITING):
            self.sums()

    def sums(self) -> tuple[Integers, Integers]:
        """The keys in their order, and their sums."""
        if self._new:
            keys, values = zip((self._keys, self._sums), *self._new, strict=True)
            self._keys, self._sums = _summed(np.concatenate(keys), np.concatenate(values))
            self._new, self._waiting = [], 0
        return self._keys, self._sums


def _summed(keys: Integers, values: Integers) -> tuple[Integers, Integers]:
    if not len(keys):
        return keys, values
    least = int(keys.min())
    exact = np.abs(values, dtype=np.float64).sum() < _EXACT
    if exact and int(keys.max()) - least < 4 * len(keys):  # then it is quicker so
        used = np.flatnonzero(np.bincount(keys - least))
        return used + least, np.bincount(keys - least, values)[used].astype(np.int64)
    order = np.argsort(keys, kind="stable")
    keys, values = keys[order], values[order]
    first = np.flatnonzero(np.diff(keys, prepend=keys[0] - 1))
    return keys[first], np.add.reduceat(values, first)
