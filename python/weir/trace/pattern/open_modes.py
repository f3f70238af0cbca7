"""Which opens make their file."""

import numpy as np
from numpy.typing import NDArray

from .all_ranks import running_max
from .open_files import CREATES, EMPTIES
from .operations import Kind, Mode, Operations, starts_of_groups


def settle_modes(operations: Operations) -> NDArray[np.int64]:
    """Sets the modes of opens for good, once phases are known. A phase begins without the files that it
    creates, so it creates none of which it reads what it has not written itself; and an open creates no file
    that is there by then: in another phase, unless it was emptied; by an earlier open of the rank; or beyond
    a barrier. Returns the files that must be there before the pattern begins."""
    opens = np.flatnonzero(operations["kind"] == Kind.OPEN)
    if not len(opens):
        return np.empty(0, np.int64)
    rank, mode, file, phase = (operations[name][opens] for name in ("rank", "mode", "file", "phase"))
    pair = _pairs(operations)
    finds = np.isin(pair[opens], _finding(operations, pair, np.unique(pair[opens][mode & CREATES > 0])))
    first_phase = np.full(int(file.max()) + 1, np.iinfo(np.int64).max)
    np.minimum.at(first_phase, file, phase)
    empties = mode & EMPTIES > 0
    creates = (mode & CREATES > 0) & ~finds & ((phase == first_phase[file]) | empties)
    here = np.isin(pair[opens], pair[opens][creates])
    there = _again(rank, pair[opens]) | _beyond_barrier(operations, opens, pair, creates)
    plain = mode & 3
    settled = np.where(here & (plain == Mode.UPDATE) & (empties | ~there), Mode.CREATE, plain)
    operations["mode"][opens] = settled
    made = file[(settled == Mode.CREATE) & (phase == first_phase[file])]
    found: NDArray[np.int64] = np.setdiff1d(file, made)
    return found


def _pairs(operations: Operations) -> NDArray[np.int64]:
    """A number for each phase and file together."""
    pairs: NDArray[np.int64] = operations["phase"] * (int(operations["file"].max()) + 1) + operations["file"]
    return pairs


def _finding(
    operations: Operations, pair: NDArray[np.int64], candidates: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Those of these pairs in which a read reaches beyond all that was written before it had ended."""
    reads = operations["kind"] == Kind.READ
    candidates = np.intersect1d(candidates, pair[reads])
    some = np.isin(operations["kind"], (Kind.READ, Kind.WRITE, Kind.PREALLOCATE)) & np.isin(pair, candidates)
    rows, pair, reads = operations[some], pair[some], reads[some]
    when = np.where(reads, rows["end_ns"], rows["begin_ns"])
    order = np.lexsort((reads, when, pair))
    rows, pair, reads = rows[order], pair[order], reads[order]
    end = rows["offset"] + rows["span"]
    written = running_max(np.where(reads, 0, end), pair)
    finding: NDArray[np.int64] = np.unique(pair[reads & (end > written)])
    return finding


def _again(rank: NDArray[np.int64], pair: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which opens, by rank and in order, are not the rank's first of their file in their phase."""
    again = np.ones(len(rank), bool)
    again[np.unique(np.column_stack([rank, pair]), axis=0, return_index=True)[1]] = False
    return again


def _beyond_barrier(
    operations: Operations, opens: NDArray[np.int64], pair: NDArray[np.int64], creates: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which opens have a barrier of all ranks between their phase's first creating open of the file and
    them."""
    is_barrier = operations["kind"] == Kind.BARRIER
    before = np.cumsum(is_barrier) - is_barrier
    first = starts_of_groups(operations["rank"], operations["phase"])
    before -= np.repeat(before[first], np.diff(np.append(first, len(operations))))
    after = before[opens]
    each, number = np.unique(pair[opens], return_inverse=True)
    earliest = np.full(len(each), np.iinfo(np.int64).max)
    np.minimum.at(earliest, number.reshape(-1)[creates], after[creates])
    beyond: NDArray[np.bool_] = after > earliest[number.reshape(-1)]
    return beyond
