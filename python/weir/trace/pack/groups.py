"""Calls of one kind beside each other; of each number, how it differs from what the one before foretells."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from weir.trace.pack.integers import Integers


class Groups:
    """An order in which equal keys stand together, each group in its own order. All arithmetic is modulo
    2^64, so that every number comes back."""

    def __init__(self, *keys: Integers) -> None:
        self.order: NDArray[np.intp] = np.lexsort(keys)
        sorted_keys = [key[self.order] for key in keys]
        self._first = np.ones(len(self.order), bool)
        if len(self.order):
            self._first[1:] = np.any([key[1:] != key[:-1] for key in sorted_keys], axis=0)

    def differences(self, values: Integers, step: Integers | None = None) -> Integers:
        """Of each value, in the groups' order, from the one before in its group, plus that one's step."""
        values = values[self.order]
        before = np.zeros_like(values)
        before[1:] = values[:-1] if step is None else values[:-1] + step[self.order][:-1]
        before[self._first] = 0
        return values - before

    def sums(self, differences: Integers, step: Integers | None = None) -> Integers:
        """The values whose differences these are, in the order before grouping."""
        if not len(differences):
            return differences
        increments = differences.copy()
        if step is not None:
            increments[1:] += np.where(self._first[1:], 0, step[self.order][:-1])
        total = np.cumsum(increments)
        starts = np.flatnonzero(self._first)
        base = np.concatenate([np.zeros(1, np.int64), total[starts[1:] - 1]])
        values = np.empty_like(total)
        values[self.order] = total - base[np.cumsum(self._first) - 1]
        return values

    def sort(self, values: Integers) -> Integers:
        """Values in the groups' order."""
        sorted_values: Integers = values[self.order]
        return sorted_values

    def unsort(self, values: Integers) -> Integers:
        """Values back in the order before grouping."""
        unsorted = np.empty_like(values)
        unsorted[self.order] = values
        return unsorted
