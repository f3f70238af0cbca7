"""Opens, closes and resizes that a pattern needs and can express."""

import numpy as np

from weir.distinct import distinct
from weir.trace.pattern.nests import Flags, Integers
from weir.trace.pattern.operations.calls import MPI_IO
from weir.trace.pattern.operations.operation import (
    Kind,
    LeftOut,
    Mode,
    Operations,
    barriers_before,
    group_numbers,
    open_change,
    running_max,
    stable_order,
    starts_of_groups,
)
from weir.trace.pattern.operations.truncations import EMPTYING

_POSIX = {"writes": 3, "creates": 0o100, "empties": EMPTYING}
_MPI_IO = {"writes": 4 | 8, "creates": 1, "empties": 0}
CREATES, EMPTIES = 4, 8
"""Added to a Mode: the open creates the file if it does not exist; it empties the file."""


def with_opens(operations: Operations, left_out: LeftOut) -> Operations:
    """The same with every file open from before its first use to after its last, once at a time: an open of a
    file that the rank has open is left out with its close, and missing ones are added: before the first use,
    or, of what is used by its name after it was closed, around that. The `mode` of an open becomes a Mode,
    plus CREATES and EMPTIES."""
    if not len(operations):
        return operations
    order = stable_order(operations["file"], operations["rank"])  # calls on a file stay in order
    kind = operations["kind"][order]
    first = starts_of_groups(operations["rank"][order], operations["file"][order])
    last = np.append(first[1:], len(order)) - 1
    group, step = group_numbers(first, len(order)), open_change(kind)
    depth = np.cumsum(step)
    depth -= (depth[first] - step[first])[group]
    by_name = (step == 0) & (depth == 0) & _opened_before(kind, first, group)
    needs = np.where(by_name, 0, depth - (step == 0))
    before = np.maximum(0, -np.minimum.reduceat(needs, first))
    depth += before[group]
    begins, ends = _runs(by_name & (depth == 0), group)
    again = ((kind == Kind.OPEN) & (depth > 1)) | ((kind == Kind.CLOSE) & (depth > 0))
    left_out.add("opens of files that the rank had open, and their closes", np.count_nonzero(again))
    _set_modes(operations, order, kind, group, again)
    open_before, open_after = first[before > 0], last[depth[last] > 0]
    left_out.add("closes that the program left to its end (added)", len(open_after))
    left_out.add("opens that the trace does not have (added)", len(open_before))
    left_out.add("opens and closes around calls on files that the rank had closed (added)", len(begins))
    modes = [_mode_of_group(kind, first, last)[before > 0], _mode_of_group(kind, begins, ends)]
    open_before, open_after = np.append(open_before, begins), np.append(open_after, ends)
    opens = _copies(operations, order[open_before], Kind.OPEN)
    closes = _copies(operations, order[open_after], Kind.CLOSE)
    opens["mode"] = np.concatenate(modes)
    place = np.concatenate([order[open_before], order[open_after] + 1])
    added = np.concatenate([opens, closes])
    after = np.concatenate([2 * order[open_before] - 1, 2 * order[open_after] + 1])
    opens_last = added["kind"] == Kind.OPEN  # of what was closed after the operation before
    in_turn = np.lexsort((opens_last, after, added["rank"]))
    place, added = place[in_turn], added[in_turn]
    if again.any():
        keep = np.ones(len(operations), bool)
        keep[order[again]] = False
        place = np.append(0, np.cumsum(keep))[place]
        operations = operations[keep]
    return np.insert(operations, place, added) if len(added) else operations


def _opened_before(kind: Integers, first: Integers, group: Integers) -> Flags:
    """Whether an open of its group comes before each operation."""
    opens = np.cumsum(kind == Kind.OPEN)
    found: Flags = opens > (opens - (kind == Kind.OPEN))[first][group]
    return found


def _runs(which: Flags, group: Integers) -> tuple[Integers, Integers]:
    """The first and the last of those that follow each other in a group."""
    follows = which[1:] & which[:-1] & (group[1:] == group[:-1])
    begins = np.flatnonzero(which & ~np.append(False, follows)[: len(which)])
    return begins, np.flatnonzero(which & ~np.append(follows, False)[: len(which)])


def _copies(ops: Operations, which: Integers, kind: Kind) -> Operations:
    """Opens or closes at the place and time of these."""
    rows = ops[which].copy()
    time = "begin_ns" if kind == Kind.OPEN else "end_ns"
    rows["kind"], rows["offset"], rows["length"], rows["mode"], rows["collective"] = kind, 0, 0, 0, False
    rows["shape"], rows["span"] = 0, 0
    rows["begin_ns"] = rows["end_ns"] = ops[time][which]
    return rows


def _writing_before(kind: Integers) -> Integers:
    """How many operations before each one, and before the end, need a file that is open for writing."""
    writing = (kind == Kind.WRITE) | (kind == Kind.PREALLOCATE)
    return np.concatenate([[0], np.cumsum(writing)])


def _mode_of_group(kind: Integers, first: Integers, last: Integers) -> Integers:
    """For files that were open when the trace began: READ, unless they are written."""
    writing = _writing_before(kind)
    return np.where(writing[last + 1] > writing[first], Mode.UPDATE, Mode.READ)


def _set_modes(ops: Operations, order: Integers, kind: Integers, group: Integers, again: Flags) -> None:
    """Modes of opens by their flags, and by what follows until the next one that stays (the others are
    `again`): the file may be written through another one. `order` is by rank and file, and so are the kinds,
    groups and flags."""
    opens = np.flatnonzero((kind == Kind.OPEN) & ~again)
    rows = order[opens]
    until = np.append(opens[1:], len(order))
    writing = _writing_before(kind)
    same = np.searchsorted(group, group[opens], "right")
    written = writing[np.minimum(until, same)] > writing[opens]
    flags, is_mpi_io = ops["length"][rows], ops["mode"][rows] == MPI_IO
    told = {
        name: np.where(is_mpi_io, flags & _MPI_IO[name], flags & _POSIX[name]) > 0
        for name in ("writes", "creates", "empties")
    }
    silent = flags == 0
    mode = np.where(told["writes"] | written | told["creates"], Mode.UPDATE, Mode.READ)
    mode += np.where(told["creates"] | (silent & written), CREATES, 0)
    mode += np.where(told["empties"], EMPTIES, 0)
    ops["mode"] = 0
    ops["length"][order[kind == Kind.CLOSE]] = 0
    ops["mode"][rows] = mode
    ops["length"][rows] = 0


def settle_modes(operations: Operations) -> Integers:
    """Sets the final modes of opens, once phases are known. A phase begins without the files that it creates,
    so it creates none from which it reads what it has not written itself. An open creates no file that exists
    by then: from an earlier phase, unless it is emptied; by an earlier open of the rank; or from before a
    barrier. Returns the files that must exist before the pattern begins."""
    opens = np.flatnonzero(operations["kind"] == Kind.OPEN)
    if not len(opens):
        return np.empty(0, np.int64)
    rank, mode, file, phase = (operations[name][opens] for name in ("rank", "mode", "file", "phase"))
    pair = _pairs(operations)
    finds = np.isin(pair[opens], _finding(operations, pair, distinct(pair[opens][mode & CREATES > 0])))
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
    found: Integers = np.setdiff1d(file, made)
    return found


def _pairs(operations: Operations) -> Integers:
    """A number for each phase and file together."""
    pairs: Integers = operations["phase"] * np.int64(int(operations["file"].max()) + 1)
    pairs += operations["file"]
    return pairs


def _finding(operations: Operations, pair: Integers, candidates: Integers) -> Integers:
    """Those of these pairs in which a read reaches beyond all that was written before it ended."""
    reads = operations["kind"] == Kind.READ
    candidates = np.intersect1d(candidates, pair[reads])
    some = np.isin(operations["kind"], (Kind.READ, Kind.WRITE, Kind.PREALLOCATE)) & np.isin(pair, candidates)
    rows = np.flatnonzero(some)
    pair, reads = pair[rows], reads[rows]
    when = np.where(reads, operations["end_ns"][rows], operations["begin_ns"][rows])
    order = np.lexsort((reads, when, pair))
    rows, pair, reads = rows[order], pair[order], reads[order]
    end = operations["offset"][rows] + operations["span"][rows]
    written = running_max(np.where(reads, 0, end), pair)
    finding: Integers = distinct(pair[reads & (end > written)])
    return finding


def _again(rank: Integers, pair: Integers) -> Flags:
    """Which opens, by rank and in order, are not the rank's first of their file in their phase."""
    again = np.ones(len(rank), bool)
    again[np.unique(np.column_stack([rank, pair]), axis=0, return_index=True)[1]] = False
    return again


def _beyond_barrier(operations: Operations, opens: Integers, pair: Integers, creates: Flags) -> Flags:
    """Which opens come after a barrier that follows the first creating open of the file in their phase."""
    after = barriers_before(operations, starts_of_groups(operations["rank"], operations["phase"]))[opens]
    each, number = np.unique(pair[opens], return_inverse=True)
    earliest = np.full(len(each), np.iinfo(np.int64).max)
    np.minimum.at(earliest, number.reshape(-1)[creates], after[creates])
    beyond: Flags = after > earliest[number.reshape(-1)]
    return beyond
