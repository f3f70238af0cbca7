"""Sets of ranks as the pattern says them: first, count, step."""

from bisect import bisect_right

import numpy as np
from numpy.typing import NDArray

from weir.pattern import RankSet


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


def rank_set(ranks: NDArray[np.int64]) -> RankSet:
    """A stretch that `rank_sets` cut."""
    step = int(ranks[1] - ranks[0]) if len(ranks) > 1 else 1
    return RankSet(first=int(ranks[0]), count=len(ranks), step=step)
