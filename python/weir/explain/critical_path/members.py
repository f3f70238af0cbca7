"""The ranks of a communicator, from its text."""

import re

import numpy as np
from numpy.typing import NDArray

MOST = 1 << 22
_RUN = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?(?::(\d{1,9}))?")


def members_of(ranks: str, most: int) -> NDArray[np.int64]:
    """The ranks of `0-3,8` or `0-6:2`; none of a text that is damaged, or has more than so many."""
    found: list[range] = []
    for run in ranks.split(",") if ranks else ():
        parts = _RUN.fullmatch(run)
        if parts is None or parts[3] == "0":
            return np.empty(0, np.int64)
        first, last, step = int(parts[1]), int(parts[2] or parts[1]), int(parts[3] or 1)
        found.append(range(first, last + 1, step))
    if sum(map(len, found)) > min(most, MOST):
        return np.empty(0, np.int64)
    return np.array([rank for run in found for rank in run], np.int64)
