"""Which calls were made inside others."""

import numpy as np
from numpy.typing import NDArray

from weir.trace.batch import Batch


def inside(batch: Batch, which: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Calls of a batch with one of `which` around them. The call around another stands after it in its lane,
    one level below, and began before it."""
    found = np.zeros(len(batch), bool)
    level, begin, lane = batch.level, batch.records["begin_ticks"], batch.lane
    below = np.flatnonzero(level == 0)
    for depth in range(1, int(level.max(initial=0)) + 1):
        here = np.flatnonzero(level == depth)
        if len(below):
            around = below[np.minimum(np.searchsorted(below, here), len(below) - 1)]
            encloses = (around > here) & (lane[around] == lane[here]) & (begin[around] <= begin[here])
            found[here] = encloses & (found[around] | which[around])
        below = here
    return found
