"""Recognises one nest of strides in a list of places."""

import numpy as np
from numpy.typing import NDArray

Levels = list[tuple[int, int]]
"""Count and stride in bytes of each level, from the slowest to the fastest."""


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
