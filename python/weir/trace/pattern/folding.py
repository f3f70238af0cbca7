"""Folds operations: by phase and rank, each for itself."""

import numpy as np
from numpy.typing import NDArray

from .fold import Sequence, Shapes, fold
from .operations import Kind, Operations, starts_of_groups
from .shapes import ONE_PIECE


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
    only. And how many of those numbers are reads and writes of one piece; they come first."""
    modes, kinds = 4, max(Kind) + 1
    moves = operations["kind"] <= Kind.WRITE
    lengths, length = np.unique(operations["length"], return_inverse=True)
    shapes, shape = np.unique(np.where(moves, operations["shape"], 0), return_inverse=True)
    one_piece = ~moves | (operations["shape"] == ONE_PIECE)
    code = np.where(one_piece, operations["kind"], operations["kind"] + kinds)
    code = (code * modes + operations["mode"]) * 2 + (moves & operations["collective"])
    code = (code * max(1, len(lengths)) + length.reshape(-1)) * max(1, len(shapes)) + shape.reshape(-1)
    found, first, leaf = np.unique(code, return_index=True, return_inverse=True)
    del found
    return leaf.reshape(-1), int(np.count_nonzero((moves & one_piece)[first]))
