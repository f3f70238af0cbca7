"""Folds operations: by phase and rank, each for itself."""

import numpy as np
from numpy.typing import NDArray

from .fold import Sequence, Shapes, fold
from .operations import Kind, Operations, starts_of_groups


def folded(operations: Operations, *, cut_at_barriers: bool = False) -> tuple[Sequence, Shapes]:
    """What `fold` makes of operations, each rank's in each phase a segment; if cut, no repetition goes
    beyond a barrier."""
    segment = np.zeros(len(operations), np.int64)
    segment[starts_of_groups(operations["phase"], operations["rank"])] = 1
    barriers = operations["kind"] == Kind.BARRIER
    if cut_at_barriers:
        segment |= barriers
        segment[1:] |= barriers[:-1]
    leaves, transfers = _leaves(operations)
    return fold(
        np.cumsum(segment),
        leaves,
        np.ascontiguousarray(operations["offset"]),
        np.ascontiguousarray(operations["file"]),
        transfers,
    )


def _leaves(operations: Operations) -> tuple[NDArray[np.int64], int]:
    """A number for what each operation does, by kind: what has equal numbers differs in offset and file
    only. And how many of those numbers are reads and writes; they come first."""
    lengths, inverse = np.unique(operations["length"], return_inverse=True)
    modes, many = 4, max(1, len(lengths))
    code = (operations["kind"] * modes + operations["mode"]) * many + inverse.reshape(-1)
    found, leaf = np.unique(code, return_inverse=True)
    return leaf.reshape(-1), int(np.count_nonzero(found // (modes * many) <= Kind.WRITE))
