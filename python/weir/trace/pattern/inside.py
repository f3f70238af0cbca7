"""Which calls were made inside others."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def inside(records: NDArray[Any], which: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Of records of one lane, in the order in which they ended: those with one of `which` around them. The
    call around another stands after it, one level below, and began before it."""
    found = np.zeros(len(records), bool)
    level, begin = records["level"], records["begin_ticks"]
    below = np.flatnonzero(level == 0)
    for depth in range(1, int(level.max(initial=0)) + 1):
        here = np.flatnonzero(level == depth)
        if len(below):
            around = below[np.minimum(np.searchsorted(below, here), len(below) - 1)]
            encloses = (around > here) & (begin[around] <= begin[here])
            found[here] = encloses & (found[around] | which[around])
        below = here
    return found
