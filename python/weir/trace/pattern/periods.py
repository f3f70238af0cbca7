"""Which long periods are worth trying."""

import numpy as np
from numpy.typing import NDArray

MOST = 8
"""So many of each kind are tried at a time."""


def long_periods(
    segment: NDArray[np.int64], shape: NDArray[np.int64], place: NDArray[np.uint64], above: int
) -> list[int]:
    """Distances above `above` after which something comes again, shortest first: a shape, or a shape with the
    same way to the next place."""
    if len(shape) <= 2 * above:
        return []
    with_way = shape.astype(np.uint64)
    with_way[:-1] += np.diff(place) * np.uint64(0x9E3779B97F4A7C15)
    found: set[int] = set()
    for symbol in (shape, with_way):
        found.update(_distances(segment, symbol, above))
    return sorted(found)


def _distances(segment: NDArray[np.int64], symbol: NDArray[np.generic], above: int) -> list[int]:
    """Those that occur most, and those of the rarest symbols, since frequent ones come again within a
    period too."""
    order = np.lexsort((symbol, segment))  # stable: equal ones stay in their order
    same = (symbol[order][1:] == symbol[order][:-1]) & (segment[order][1:] == segment[order][:-1])
    distance = np.diff(order)
    begins = np.flatnonzero(np.concatenate([[True], ~same]))
    occurrences = np.repeat(np.diff(np.append(begins, len(order))), np.diff(np.append(begins, len(order))))[
        1:
    ]
    far = same & (distance > above)
    seldom = far & (occurrences <= (occurrences[far].min() if far.any() else 0) + 1)
    return [*_most_frequent(distance[far]), *_most_frequent(distance[seldom])]


def _most_frequent(distances: NDArray[np.int64]) -> list[int]:
    values, counts = np.unique(distances, return_counts=True)
    found: list[int] = values[np.argsort(counts, kind="stable")[::-1][:MOST]].tolist()
    return found
