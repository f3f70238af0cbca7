"""Work on the rows of all ranks at once, where a loop over very many ranks would take long."""

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


class Moments:
    """Ranks with times as one number each, in the order of ranks and then of times."""

    def __init__(self, ranks: Integers | list[int], *times: Integers) -> None:
        """All that may come."""
        self._ranks = np.unique(np.asarray(ranks, np.int64))
        self._times = np.unique(np.concatenate(times))

    def of(self, rank: Integers, time: Integers) -> Integers:
        """The numbers of these."""
        number: Integers = np.searchsorted(self._ranks, rank) * len(self._times)
        number += np.searchsorted(self._times, time)
        return number


def running_max(values: Integers, group: Integers) -> Integers:
    """Of each value, the greatest of its group up to it; a group's values stand together."""
    if not len(values):
        return values
    different, place = np.unique(values, return_inverse=True)
    base = np.cumsum(np.append(0, group[1:] != group[:-1])) * len(different)
    greatest: Integers = different[np.maximum.accumulate(base + place.reshape(-1)) - base]
    return greatest
