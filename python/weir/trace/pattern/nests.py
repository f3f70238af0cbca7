"""Nests of strides in lists of numbers: count and stride of each level, slowest first."""

from bisect import bisect_right

import numpy as np
from numpy.typing import NDArray

Levels = list[tuple[int, int]]
"""Count and stride in bytes of each level, from the slowest to the fastest."""


AT_ONCE = 2**16
"""So many places are looked at together, whose differences a cache holds."""


def nest_of(places: NDArray[np.int64]) -> Levels | None:
    """The nest that goes through these places in this order, with fewest levels; empty for one place, None
    if there is none. Takes linear time."""
    if len(places) < 2:
        return []
    fastest_first: Levels = []
    while len(places) > 1:
        stride = int(places[1] - places[0])
        broken = np.flatnonzero(np.diff(places) != stride)
        count = int(broken[0]) + 1 if len(broken) else len(places)
        if len(places) % count:
            return None
        rows = places.reshape(-1, count)
        if not np.array_equal(rows, rows[:, :1] + stride * np.arange(count)):
            return None
        fastest_first.append((count, stride))
        places = rows[:, 0]
    return fastest_first[::-1]


def has_nest(rows: NDArray[np.int64]) -> bool:
    """Does a nest go through any of these rows of places? As `nest_of` of each, but of all at once."""
    waiting = np.array_split(rows, 1 + rows.size // AT_ONCE)
    while waiting:
        rows = waiting.pop()
        places = rows.shape[1]
        if not len(rows):
            continue
        if places < 2:
            return True
        steps = np.diff(rows, axis=1)
        steady = steps == steps[:, :1]
        counts = np.where(steady.all(axis=1), places, np.argmin(steady, axis=1) + 1)
        for count in np.unique(counts[places % counts == 0]).tolist():
            some = rows[counts == count].reshape(-1, places // count, count)
            stride = (some[:, 0, 1] - some[:, 0, 0])[:, None, None]
            fits = (some == some[:, :, :1] + stride * np.arange(count)).all(axis=(1, 2))
            waiting.append(some[fits, :, 0])
    return False


def rank_sets(ranks: NDArray[np.int64]) -> list[slice]:
    """Cut numbers into stretches of equal differences, from the first on: slices of the array."""
    if len(ranks) < 3:
        return [slice(0, len(ranks))]
    cuts: list[slice] = []
    at = 0
    steps = np.diff(ranks)
    changes = (np.flatnonzero(np.diff(steps)) + 1).tolist()  # a step here is another than the one before
    while at < len(ranks):
        place = bisect_right(changes, at)
        end = changes[place] + 1 if place < len(changes) else len(ranks)
        cuts.append(slice(at, end))
        at = end
    return cuts
