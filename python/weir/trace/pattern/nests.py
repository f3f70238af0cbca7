"""Nests of strides in lists of numbers: count and stride of each level, slowest first."""

from bisect import bisect_right
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from weir.distinct import distinct

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]

Levels = list[tuple[int, int]]
"""Count and stride in bytes of each level, from the slowest to the fastest."""


AT_ONCE = 2**16
"""Numbers examined together, so that their differences fit into a cache."""


def nest_of(places: Integers) -> Levels | None:
    """The nest with the fewest levels that yields these places in this order; empty for one place, None if
    there is none. Takes linear time."""
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


def has_nest(rows: Integers) -> bool:
    """Is any of these rows a nest? As `nest_of` of each, but vectorised."""
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
        for count in distinct(counts[places % counts == 0]).tolist():
            some = rows[counts == count].reshape(-1, places // count, count)
            stride = (some[:, 0, 1] - some[:, 0, 0])[:, None, None]
            fits = (some == some[:, :, :1] + stride * np.arange(count)).all(axis=(1, 2))
            waiting.append(some[fits, :, 0])
    return False


def rank_sets(ranks: Integers) -> list[slice]:
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


def displacements(levels: Iterable[tuple[int, int]]) -> Integers:
    """Where the elements of a nest lie, relative to its start, in order."""
    places = np.zeros(1, np.int64)
    for count, stride in levels:
        places = (places[:, None] + stride * np.arange(count)).reshape(-1)
    return places
