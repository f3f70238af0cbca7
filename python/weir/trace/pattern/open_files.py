"""Which file is open when: opens and closes that a pattern needs and can say."""

import numpy as np
from numpy.typing import NDArray

from .operations import Kind, LeftOut, Mode, Operations, starts_of_groups

_POSIX = {"writes": 3, "creates": 0o100, "empties": 0o1000 | 0o200}
"""What is opened with O_EXCL has been made by that, and is as empty as with O_TRUNC."""
_MPI_IO = {"writes": 4 | 8, "creates": 1, "empties": 0}
CREATES, EMPTIES = 4, 8
"""Added to a Mode: the open makes the file where it is not there; it empties it."""


def with_opens(operations: Operations, mpi_io: int, left_out: LeftOut) -> Operations:
    """The same with every file open from before its first use to after its last, once at a time: a second
    open of a file that is open is left out with its close, and what is missing is added. The `mode` of an
    open becomes a Mode, with what is known of making and emptying the file."""
    if not len(operations):
        return operations
    order = np.lexsort(
        (operations["file"], operations["rank"])
    )  # stable: calls on a file stay in their order
    ops = operations[order]
    kind = ops["kind"]
    first = starts_of_groups(ops["rank"], ops["file"])
    last = np.append(first[1:], len(ops)) - 1
    group = np.repeat(np.arange(len(first)), last - first + 1)
    step = np.where(kind == Kind.OPEN, 1, np.where(kind == Kind.CLOSE, -1, 0))
    depth = np.cumsum(step)
    depth -= (depth[first] - step[first])[group]
    needs = np.where(np.isin(kind, (Kind.OPEN, Kind.CLOSE)), depth, depth - 1)
    before = np.maximum(0, -np.minimum.reduceat(needs, first))
    depth += before[group]
    again = ((kind == Kind.OPEN) & (depth > 1)) | ((kind == Kind.CLOSE) & (depth > 0))
    left_out.add("opens of files that the rank had open, and their closes", np.count_nonzero(again))
    _set_modes(ops, group, mpi_io)
    open_before, open_after = first[before > 0], last[depth[last] > 0]
    left_out.add("closes that the program left to its end (added)", len(open_after))
    left_out.add("opens that the trace does not have (added)", len(open_before))
    opens = _copies(ops, open_before, Kind.OPEN)
    closes = _copies(ops, open_after, Kind.CLOSE)
    opens["mode"] = _mode_of_group(kind, first, last)[before > 0]
    if not (again.any() or len(open_before) or len(open_after)):
        operations[order] = ops
        return operations
    keep = ~again
    rows = np.concatenate([ops[keep], opens, closes])
    place = np.concatenate([2 * order[keep], 2 * order[open_before] - 1, 2 * order[open_after] + 1])
    return rows[np.lexsort((place, rows["rank"]))]


def _copies(ops: Operations, which: NDArray[np.int64], kind: Kind) -> Operations:
    """Opens or closes at the place and time of these."""
    rows = ops[which].copy()
    time = "begin_ns" if kind == Kind.OPEN else "end_ns"
    rows["kind"], rows["offset"], rows["length"], rows["mode"], rows["collective"] = kind, 0, 0, 0, False
    rows["shape"], rows["span"] = 0, 0
    rows["begin_ns"] = rows["end_ns"] = ops[time][which]
    return rows


def _mode_of_group(
    kind: NDArray[np.int64], first: NDArray[np.int64], last: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Of files that were open when the trace began: read, unless they are written."""
    writes = np.concatenate([[0], np.cumsum((kind == Kind.WRITE) | (kind == Kind.PREALLOCATE))])
    return np.where(writes[last + 1] > writes[first], Mode.UPDATE, Mode.READ)


def _set_modes(ops: Operations, group: NDArray[np.int64], mpi_io: int) -> None:
    """Modes of opens by their flags; where those say nothing, by what is done until the next open of the
    file."""
    kind = ops["kind"]
    opens = np.flatnonzero(kind == Kind.OPEN)
    until = np.append(opens[1:], len(ops))
    writes = np.concatenate([[0], np.cumsum(kind == Kind.WRITE)])
    same = np.searchsorted(group, group[opens], "right")
    written = writes[np.minimum(until, same)] > writes[opens]
    flags, is_mpi_io = ops["length"][opens], ops["mode"][opens] == mpi_io
    told = {
        name: np.where(is_mpi_io, flags & _MPI_IO[name], flags & _POSIX[name]) > 0
        for name in ("writes", "creates", "empties")
    }
    silent = flags == 0
    mode = np.where(told["writes"] | (silent & written) | told["creates"], Mode.UPDATE, Mode.READ)
    mode = (
        mode
        + np.where(told["creates"] | (silent & written), CREATES, 0)
        + np.where(told["empties"], EMPTIES, 0)
    )
    ops["mode"] = 0
    ops["length"][kind == Kind.CLOSE] = 0
    ops["mode"][opens] = mode
    ops["length"][opens] = 0
