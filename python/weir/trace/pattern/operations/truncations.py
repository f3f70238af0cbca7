"""Calls that shorten files: no step of a pattern does."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.distinct import distinct
from weir.trace.pattern.nests import Flags, Integers
from weir.trace.pattern.operations.calls import MPI_IO
from weir.trace.pattern.operations.operation import Kind, LeftOut, Mode, Operations, running_max

EMPTYING = 0o1000 | 0o200
"""Flags of open(): what is opened with O_EXCL has been made by that, and is as empty as with O_TRUNC."""

CUT = np.dtype([("file", "<i4"), ("begin_ns", "<i8"), ("length", "<i8")])
"""A call that gives a file this length, shorter or not."""

Cuts = NDArray[Any]
"""Of dtype CUT."""


def cuts_of(operations: Operations) -> Cuts:
    """All that may have shortened a file. The `length` of an open is still its flags."""
    some = operations[_empties(operations) | (operations["kind"] == Kind.TRUNCATE)]
    cuts = np.zeros(len(some), CUT)
    cuts["file"], cuts["begin_ns"] = some["file"], some["begin_ns"]
    cuts["length"] = np.where(some["kind"] == Kind.OPEN, 0, some["length"])
    return cuts


def _empties(operations: Operations) -> Flags:
    has_flags = (operations["kind"] == Kind.OPEN) & (operations["mode"] != MPI_IO)
    found: Flags = has_flags & (operations["length"] & EMPTYING > 0)
    return found


def without_truncations(operations: Operations, left_out: LeftOut) -> Operations:
    """Without resizes that shorten files or leave them as they are; a collective one stays on all ranks. A
    TRUNCATE that stays is a PREALLOCATE from now on. The `length` of an open is still its flags."""
    kind = operations["kind"]
    resizes = (kind == Kind.PREALLOCATE) | (kind == Kind.TRUNCATE)
    if not resizes.any():
        return operations
    kind[resizes] = Kind.PREALLOCATE
    concerned = np.isin(operations["file"], operations["file"][resizes])
    empties = _empties(operations)
    rows = np.flatnonzero(concerned & (resizes | empties | (kind == Kind.WRITE)))
    rows = rows[np.lexsort((operations["begin_ns"][rows], operations["file"][rows]))]
    some, resizes = operations[rows], resizes[rows]
    since = np.cumsum(empties[rows] | np.append(True, some["file"][1:] != some["file"][:-1]))
    ends = ends_of(some)
    longest = running_max(np.where(resizes, ends, 0), since)
    grows = (ends > running_max(np.where(resizes, 0, ends), since)) & (ends >= longest)
    keep = np.ones(len(operations), bool)
    keep[rows] = grows | ~resizes
    left_out.add("resizes that make no file longer", np.count_nonzero(~keep))
    return operations[keep]


def lost_cuts(operations: Operations, cuts: Cuts) -> int:
    """How many of these leave a file shorter than it is in the pattern, until the next one of the file. A
    phase begins without the files that it creates; else, what is once there stays. Modes are settled."""
    kind, file = operations["kind"], operations["file"]
    creates = (kind == Kind.OPEN) & (operations["mode"] == Mode.CREATE)
    rows = np.flatnonzero(
        (creates | (kind == Kind.WRITE) | (kind == Kind.PREALLOCATE)) & np.isin(file, distinct(cuts["file"]))
    )
    if not len(rows) or not len(cuts):
        return 0
    some = operations[rows]
    files = np.concatenate([cuts["file"], some["file"]]).astype(np.int64)
    when = np.concatenate([cuts["begin_ns"], some["begin_ns"]])
    ends = np.concatenate([np.zeros(len(cuts), np.int64), ends_of(some)])
    lengths = np.concatenate([cuts["length"], ends[len(cuts) :]])
    anew = np.concatenate([np.zeros(len(cuts), np.int64), last_creation(some, creates[rows])])
    is_cut = np.arange(len(files)) < len(cuts)
    order = np.lexsort((~is_cut, when, files))
    files, ends, lengths, anew, is_cut = (
        files[order],
        ends[order],
        lengths[order],
        anew[order],
        is_cut[order],
    )
    other = np.append(True, files[1:] != files[:-1])
    anew = running_max(anew, files)
    there = running_max(ends, np.cumsum(other | np.append(True, anew[1:] != anew[:-1])))
    first = np.flatnonzero(other | is_cut)
    program = np.maximum.reduceat(lengths, first)
    pattern = there[np.append(first[1:], len(files)) - 1]
    return int(np.count_nonzero(is_cut[first] & (program < pattern)))


def ends_of(operations: Operations) -> Integers:
    """Up to where each operation makes its file reach; 0 of those that make no file longer."""
    kind, span = operations["kind"], operations["span"]
    written = np.where((kind == Kind.WRITE) & (span > 0), operations["offset"] + span, 0)
    ends: Integers = np.where(kind == Kind.PREALLOCATE, operations["length"], written)
    return ends


def last_creation(some: Operations, creates: Flags) -> Integers:
    """Of each operation, 1 plus the last phase up to its own that creates its file; 0 if none does."""
    phase = some["phase"].astype(np.int64) + 1
    order = np.lexsort((~creates, phase, some["file"]))
    found = np.empty(len(some), np.int64)
    found[order] = running_max(np.where(creates, phase, 0)[order], some["file"][order])
    return found
