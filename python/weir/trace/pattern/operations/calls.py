"""Selects the calls of a trace that become operations, and the collectives that synchronise ranks."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.distinct import distinct
from weir.errors import WeirError
from weir.trace.batch import Batch
from weir.trace.model import CLOSE, MAP, MARK, NO_IO, OPEN, READ, RESIZE, SEEK, SYNC, WRITE, Trace
from weir.trace.names import File
from weir.trace.pattern.nests import Flags, Integers
from weir.trace.pattern.operations.datatypes import Datatypes
from weir.trace.pattern.operations.layouts import Layout, Unknown
from weir.trace.pattern.operations.operation import OPERATION, Kind, LeftOut, Operations

INTERFACES = ("posix", "stdio", "mpi-io")
"""Those whose calls have offsets, as `--interface` names them; the last is the highest."""
MPI_IO = INTERFACES.index("mpi-io")

_KINDS = {
    READ: Kind.READ,
    WRITE: Kind.WRITE,
    OPEN: Kind.OPEN,
    CLOSE: Kind.CLOSE,
    SYNC: Kind.SYNC,
    RESIZE: Kind.PREALLOCATE,
}
_IMPLIED = (SEEK, *NO_IO)
"""Nothing is lost without these: operations have offsets."""
_SYNCHRONISE = {
    *("MPI_Barrier", "MPI_Allreduce", "MPI_Allgather", "MPI_Allgatherv"),
    *("MPI_Alltoall", "MPI_Alltoallv", "MPI_Alltoallw", "MPI_Reduce_scatter"),
}
"""No rank leaves them before all have entered."""
_COLLECTIVE = 1
_FILE_TYPE = 0xFFFFFFFF
"""Of the length of a MPI_File_set_view: the bits of its file type's number."""
_O_DIRECTORY, _O_PATH = 0o200000, 0o10000000
_NO_STORAGE = "calls on directories, on places alone and on shared memory"
_BY_LIBRARY = "calls that MPI-IO made later, on its own account"

SPAN = np.dtype([("rank", "<i8"), ("begin_ns", "<i8"), ("end_ns", "<i8"), ("what", "<i8")])
"""A call of a rank that is no operation, or a phase that it has marked. `what` is an index: of a call into
Trace.calls, of a phase into Trace.files, where its name is."""


@dataclass
class SelectedCalls:
    """What was found in a trace."""

    operations: Operations
    """By rank and begin. `file` is an index into Trace.files."""
    interfaces: tuple[str, ...]
    """Whose calls are operations."""
    collectives: NDArray[Any]
    """Calls that synchronise ranks; of dtype SPAN, by rank and begin."""
    others: NDArray[Any]
    """Calls that are no operations, and no computing either; of dtype SPAN, by rank and begin."""
    marks: NDArray[Any]
    """Phases that the first rank with any has marked, of dtype SPAN."""
    left_out: LeftOut
    lost: LeftOut
    """Bytes that calls among those have moved, by why they are no operations: without them the pattern is not
    what the program did."""
    mapped: int
    """Times that a file was mapped into memory."""
    layouts: list[Layout | Unknown]
    """Of views: the `length` of a VIEW is an index."""


def files_below(files: Sequence[File], prefixes: Sequence[str]) -> Flags:
    """Which files, and datasets of files, have a path that begins with one of these."""
    found = np.zeros(len(files), bool)
    for number, file in enumerate(files):
        found[number] = found[file.parent] if file.parent else file.name.startswith(tuple(prefixes))
    return found


def select_calls(trace: Trace, interface: str | None, chosen: Flags | None = None) -> SelectedCalls:
    """The program's own calls that have offsets: all that are not nested in another call with offsets or in
    one of MPI, and not of a library that has the file open. `interface`: all calls of that one, nested ones
    too. `chosen`: which of the trace's files alone count; None: all. Raises WeirError if there is no
    such interface."""
    if interface is not None and interface not in INTERFACES:
        raise WeirError(
            f"'{interface}' is no interface with offsets", "", f"Use one of {', '.join(INTERFACES)}."
        )
    picker = _Selector(trace, interface, chosen)
    for batch in trace.batches():
        picker.add(batch)
    for lane in trace.lanes:
        lane.release_pages()
    return picker.picked()


class _Selector:
    def __init__(self, trace: Trace, interface: str | None, chosen: Flags | None) -> None:
        self.trace = trace
        self._chosen = chosen
        self._found = np.empty(trace.records, OPERATION)  # untouched memory takes no room
        self._count = 0
        self.collectives, self.others = [np.zeros(0, SPAN)], [np.zeros(0, SPAN)]
        self.marks = np.zeros(0, SPAN)
        self.marking = -1
        """The lane whose marks those are."""
        self.left_out, self.lost, self.datatypes = LeftOut(), LeftOut(), Datatypes()
        self.layouts: list[Layout | Unknown] = []
        self._in_memory: set[int] = set()
        """Files that are shared memory."""
        self._directories: set[int] = set()
        self._named: set[int] = set()
        """Files of which a place was opened and not the file (O_PATH): no byte of it can be read by that."""
        self._opened: set[int] = set()
        """Those that were opened by other calls."""
        self._mapped: Counter[int] = Counter()
        calls = trace.calls
        self._rank = np.array([lane.rank for lane in self.trace.lanes], np.int64)
        names = [call.interface.lower().replace("_", "-") for call in calls]
        wanted = INTERFACES if interface is None else (interface,)
        self._interface = np.array([INTERFACES.index(name) if name in wanted else -1 for name in names])
        self._kind = np.array([int(_KINDS.get(call.kind, -1)) for call in calls])
        self._kind[[call.name == "MPI_File_set_view" for call in calls]] = Kind.VIEW
        self._kind[[call.kind == RESIZE and "allocate" not in call.name for call in calls]] = Kind.TRUNCATE
        self._layout_numbers: dict[int, int] = {}
        self._implied = np.array([call.kind in _IMPLIED for call in calls])
        self._flushes = np.array([call.kind == SYNC and "flush" in call.name for call in calls])
        self._maps = np.array([call.kind == MAP for call in calls])
        self._marks = np.array([call.kind == MARK for call in calls])
        self._mark_ends = np.array([call.name == "weir_mark_end" for call in calls])
        everyone = ("", "0", f"0-{self.trace.ranks - 1}")
        self._of_all = np.array([ranks in everyone for ranks in self.trace.communicators])
        self._library = np.array([name == "mpi" for name in names])
        self._memory = np.array([call.name == "shm_open" for call in calls])
        self._synchronises = np.array([call.name in _SYNCHRONISE for call in calls])
        self._synchronises |= np.array([n == "mpi-io" for n in names]) & np.isin(
            self._kind, (Kind.OPEN, Kind.CLOSE)
        )

    def add(self, batch: Batch) -> None:
        """Some more calls."""
        around = (self._interface[batch.call] >= 0) | self._library[batch.call]
        own = (self._interface[batch.call] >= 0) & ~nested_in(batch, around)
        self._exclude_no_storage(batch, own)
        self._mapped.update(batch.file[own & self._maps[batch.call] & ~batch.failed].tolist())
        kept = self._kept(batch, own)
        self._add(self._operations(batch.only(kept)))
        outermost = batch.level == 0
        collective = self._synchronises[batch.call] & (batch.flags & _COLLECTIVE > 0)
        collective &= outermost | own
        communicator = self.trace.communicators_of(batch)
        collective &= (self._interface[batch.call] == MPI_IO) | self._of_all[communicator]
        self.collectives.append(self._spans(batch.only(collective)))
        self.others.append(self._spans(batch.only(outermost & ~kept & ~self._marks[batch.call])))
        self._add_marks(batch)

    def _add(self, operations: Operations) -> None:
        self._found[self._count : self._count + len(operations)] = operations
        self._count += len(operations)

    def _spans(self, batch: Batch) -> NDArray[Any]:
        rows = np.zeros(len(batch), SPAN)
        rows["rank"], rows["what"] = self._rank[batch.lane], batch.call
        rows["begin_ns"], rows["end_ns"] = batch.begin_ns, batch.end_ns
        return rows

    def _add_marks(self, batch: Batch) -> None:
        """Of the first lane that has any."""
        ended = self._mark_ends[batch.call]
        if not ended.any() or self.marking not in (-1, batch.lane[ended][0]):
            return
        self.marking = int(batch.lane[ended][0])
        some = batch.only(ended & (batch.lane == self.marking))
        rows = self._spans(some)
        rows["what"] = some.file
        self.marks = np.append(self.marks, rows)

    def _exclude_no_storage(self, batch: Batch, own: Flags) -> None:
        """By the opens that succeeded: one that failed may have found a plain file, or nothing."""
        opens = own & (self._kind[batch.call] == Kind.OPEN) & ~batch.failed
        has_flags = self._interface[batch.call] != MPI_IO
        directory, place = (has_flags & (batch.length & flag > 0) for flag in (_O_DIRECTORY, _O_PATH))
        self._in_memory.update(batch.file[opens & self._memory[batch.call]].tolist())
        self._directories.update(batch.file[opens & directory].tolist())
        self._named.update(batch.file[opens & place].tolist())
        self._opened.update(batch.file[opens & ~place].tolist())

    def _kept(self, batch: Batch, own: Flags) -> Flags:
        """Which of its own calls are operations; the others are counted."""
        kind, result = self._kind[batch.call], batch.result
        moves = (kind == Kind.READ) | (kind == Kind.WRITE)
        collective = batch.flags & _COLLECTIVE > 0
        if self._chosen is not None:
            other = own & (kind >= 0) & ~self._chosen[batch.file]
            self.left_out.add("calls on files that were not chosen (--only)", np.count_nonzero(other))
            own = own & ~other
        for reason, which in (
            ("calls that failed", batch.failed),
            ("reads and writes that moved nothing", moves & (result == 0) & ~collective),
            ("reads and writes at an offset that is not known", moves & (batch.offset < 0)),
            ("flushes of buffers", self._flushes[batch.call]),
            ("calls on files without a name", (kind >= 0) & (batch.file == 0)),
        ):
            self.left_out.add(reason, np.count_nonzero(own & which))
            self.lost.add(reason, result[own & which & moves & (result > 0)].sum())
            own = own & ~which
        self._count_kinds(batch.call[own & (kind < 0)])
        return own & (kind >= 0)

    def _count_kinds(self, calls: Integers) -> None:
        for call, count in enumerate(np.bincount(calls, minlength=0).tolist()):
            if not self._implied[call]:
                self.left_out.add(f"calls of {self.trace.calls[call].name}", count)

    def _operations(self, batch: Batch) -> Operations:
        call, length = batch.call, batch.length.astype(np.int64)
        rows = np.zeros(len(batch), OPERATION)
        rows["rank"], rows["kind"] = self._rank[batch.lane], self._kind[call]
        rows["mode"] = self._interface[call]
        rows["file"], rows["begin_ns"], rows["end_ns"] = batch.file, batch.begin_ns, batch.end_ns
        rows["collective"] = batch.flags & _COLLECTIVE > 0
        moves = rows["kind"] <= Kind.WRITE
        resize = (rows["kind"] == Kind.PREALLOCATE) | (rows["kind"] == Kind.TRUNCATE)
        views = rows["kind"] == Kind.VIEW
        set_by = zip(batch.lane[views].tolist(), length[views].tolist(), strict=True)
        length[views] = [self._layout_of(lane, types) for lane, types in set_by]
        length[resize] += np.maximum(batch.offset[resize], 0)
        rows["length"] = np.where(moves, batch.result, np.where(rows["kind"] == Kind.SYNC, 0, length))
        rows["offset"] = np.where(moves | views, batch.offset, 0)
        rows["span"] = rows["length"]
        return rows

    def _layout_of(self, lane: int, length: int) -> int:
        """The number of the layout of a view that a lane's process has set."""
        layout = self.datatypes.of(self.trace.lanes[lane].types, length & _FILE_TYPE)
        number = self._layout_numbers.get(id(layout))
        if number is None:
            number = self._layout_numbers[id(layout)] = len(self.layouts)
            self.layouts.append(layout)
        return number

    def picked(self) -> SelectedCalls:
        operations, self._found = _in_order([self._found[: self._count]]), np.zeros(0, OPERATION)
        moved = operations["file"][(operations["kind"] <= Kind.WRITE) & (operations["length"] > 0)]
        places = (self._directories | (self._named - self._opened)) - set(distinct(moved).tolist())
        excluded = np.isin(operations["file"], list(self._in_memory | places))
        self.left_out.add(_NO_STORAGE, np.count_nonzero(excluded))
        operations = self._without_libraries(operations[~excluded] if excluded.any() else operations)
        used = distinct(operations["mode"]).tolist()
        return SelectedCalls(
            operations,
            tuple(INTERFACES[number] for number in used),
            _in_order(self.collectives),
            _in_order(self.others),
            self.marks,
            self.left_out,
            self.lost,
            sum(count for file, count in self._mapped.items() if self._is_asked(file)),
            self.layouts,
        )

    def _is_asked(self, file: int) -> bool:
        """Is it a file of a storage, and among the chosen ones?"""
        chosen = self._chosen is None or bool(self._chosen[file])
        return file > 0 and file not in self._in_memory and chosen

    def _without_libraries(self, operations: Operations) -> Operations:
        """Without what MPI-IO did on its own account, outside of its calls: calls of others by ranks
        that use the file through MPI-IO, unless the program has opened it by that interface too. A file that
        no call of an interface opened is not reason enough: descriptors are inherited and given on."""
        through = operations["mode"] == MPI_IO
        if through.all() or not through.any():
            return operations
        files, ranks = len(self.trace.files), int(operations["rank"].max()) + 1
        file, opens = operations["file"], operations["kind"] == Kind.OPEN
        opened = np.zeros((files, len(INTERFACES)), bool)
        opened[file[opens], operations["mode"][opens]] = True
        of_rank = file * np.int64(ranks) + operations["rank"]
        used = np.isin(of_rank, distinct(of_rank[through]))
        used |= np.isin(file, distinct(file[through])) & ~opened[file, MPI_IO]  # the log has no opens
        library = used & ~through & ~opened[file, operations["mode"]]
        self.left_out.add(_BY_LIBRARY, np.count_nonzero(library))
        moves = library & (operations["kind"] <= Kind.WRITE)
        self.lost.add(_BY_LIBRARY, operations["length"][moves].sum())
        kept: Operations = operations[~library]
        return kept


def _in_order(parts: list[NDArray[Any]]) -> NDArray[Any]:
    """By rank and begin: lanes have that order unless ranks have several threads or calls are nested."""
    rows: NDArray[Any] = np.concatenate(parts) if len(parts) > 1 else parts[0]
    rank, begin = rows["rank"], rows["begin_ns"]
    if ((rank[1:] < rank[:-1]) | ((rank[1:] == rank[:-1]) & (begin[1:] < begin[:-1]))).any():
        return rows[np.lexsort((begin, rank))]
    return rows


def nested_in(batch: Batch, which: Flags) -> Flags:
    """Calls of a batch that are nested in one of `which`. A call stands after those nested in it in its lane,
    one level lower, and began before them."""
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
