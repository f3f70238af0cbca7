"""A block: some thousand calls near each other in time and rank, coded by what can be foreseen of them.

assets/block.js decodes it. Calls stand by lane, then by begin, a call before those inside it. Of each there
is:

- lane, call, file, length, level, flags: as they are;
- gap: begin, since the end of the call before it in its lane; inside that call, since its begin; for a
  lane's first, since the trace's begin;
- took: end minus begin;
- offset: how far from the end of the transfer before it with the same call on the same file;
- result: how far from the length, where there is one, or from the offset.

Regular programs thus are columns of equal numbers, which deflate turns into nothing.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .columns import Columns, Integers
from .planes import planes


def sort_calls(calls: Columns) -> Columns:
    """By lane, then by begin, a call before those inside it."""
    return calls.take(np.lexsort((calls.level, -calls.end, calls.begin, calls.lane)))


def encode_block(calls: Columns, file_count: int, step_ns: int = 1) -> list[bytes]:
    """Sorted calls as planes of bytes, one after the other; times in steps."""
    begin, end = calls.begin // step_ns, calls.end // step_ns
    columns = (
        calls.lane,
        calls.call,
        calls.file,
        calls.length,
        calls.level,
        calls.flags,
        begin - _reference(calls, begin, end),
        end - begin,
        calls.offset - _foreseen_offset(calls, file_count),
        calls.result - np.where(calls.length > 0, calls.length, np.maximum(calls.offset, 0)),
    )
    return [part for column in columns for part in planes(column)]


def _reference(calls: Columns, begin: Integers, end: Integers) -> Integers:
    reference = np.zeros(len(calls), np.int64)
    inside = calls.level[1:] > calls.level[:-1]
    same_lane = calls.lane[1:] == calls.lane[:-1]
    reference[1:] = np.where(same_lane, np.where(inside, begin[:-1], end[:-1]), 0)
    return reference


def _foreseen_offset(calls: Columns, file_count: int) -> Integers:
    before = previous_alike(calls.call * file_count + calls.file)
    return np.where(before >= 0, (calls.offset + calls.length)[before], 0)


def previous_alike(keys: NDArray[Any]) -> Integers:
    """For each element, the index of the one before it with the same key; -1 where there is none."""
    order = np.argsort(keys, kind="stable")
    previous = np.full(len(keys), -1, np.int64)
    same = keys[order][1:] == keys[order][:-1]
    previous[order[1:][same]] = order[:-1][same]
    return previous
