"""Picks the calls of a trace that become operations, and those in which ranks waited for each other."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.errors import WeirError
from weir.trace import kinds
from weir.trace.batch import Batch
from weir.trace.lane import Lane
from weir.trace.model import Trace

from .inside import inside
from .operations import OPERATION, Kind, LeftOut, Operations

INTERFACES = ("posix", "stdio", "mpi-io")
"""Those whose calls have offsets, as `--interface` names them; the last is the highest."""
MPI_IO = INTERFACES.index("mpi-io")

_KINDS = {
    kinds.READ: Kind.READ,
    kinds.WRITE: Kind.WRITE,
    kinds.OPEN: Kind.OPEN,
    kinds.CLOSE: Kind.CLOSE,
    kinds.SYNC: Kind.SYNC,
    kinds.RESIZE: Kind.PREALLOCATE,
}
_IMPLIED = (kinds.SEEK, *kinds.BESIDE_IO)
"""Nothing is lost without these: offsets tell where calls were made."""
_SYNCHRONISE = {
    f"MPI_{name}"
    for name in [
        "Barrier",
        "Allreduce",
        "Allgather",
        "Allgatherv",
        "Alltoall",
        "Alltoallv",
        "Alltoallw",
        "Reduce_scatter",
    ]
}
"""No rank leaves them before all have entered."""
_COLLECTIVE = 1
_O_DIRECTORY = 0o200000
_SPAN = [("begin_ns", "<i8"), ("end_ns", "<i8")]

SPAN = np.dtype(_SPAN)
MEETING = np.dtype([*_SPAN, ("call", "<i8")])
"""A collective call of one rank."""
MARK = np.dtype([*_SPAN, ("name", "<i8")])
"""A phase that the program has marked; `name` is an index into Trace.files."""


@dataclass
class Picked:
    """What was found in a trace."""

    operations: Operations
    """By rank and begin. `file` is an index into Trace.files."""
    interfaces: tuple[str, ...]
    """Whose calls are operations."""
    meetings: dict[int, NDArray[Any]]
    """By rank, of dtype MEETING, by begin."""
    others: dict[int, NDArray[Any]]
    """By rank, of dtype SPAN, by begin: calls that are no operations, and no computing either."""
    marks: NDArray[Any]
    """Of the first rank that set marks, of dtype MARK."""
    left_out: LeftOut
    viewed: int
    """How many views of files were set: what lies between the pieces of their requests is not known."""


def pick(trace: Trace, interface: str | None) -> Picked:
    """The program's own calls that have offsets: of each file, those of the interfaces that opened it,
    where no other call with offsets, nor one of MPI, is around them. `interface`: only that one's, from
    inside others too. Raises WeirError if there is no such interface."""
    if interface is not None and interface not in INTERFACES:
        raise WeirError(
            f"'{interface}' is no interface with offsets", "", f"Use one of {', '.join(INTERFACES)}."
        )
    picker = _Picker(trace, interface)
    for number, lane in enumerate(trace.lanes):  # whole ones: calls stand before those around them
        if len(lane.records):
            picker.add(lane.batch(number, 0, len(lane.records)), lane)
    return picker.picked()


@dataclass
class _Picker:
    trace: Trace
    interface: str | None
    found: list[Operations] = field(default_factory=list)
    meetings: dict[int, list[NDArray[Any]]] = field(default_factory=dict)
    others: dict[int, list[NDArray[Any]]] = field(default_factory=dict)
    marks: dict[int, NDArray[Any]] = field(default_factory=dict)
    left_out: LeftOut = field(default_factory=LeftOut)
    viewed: int = 0
    no_storage: set[int] = field(default_factory=set)
    """Files that are directories or shared memory."""

    def __post_init__(self) -> None:
        calls = self.trace.calls
        names = [call.interface.lower().replace("_", "-") for call in calls]
        wanted = INTERFACES if self.interface is None else (self.interface,)
        self._interface = np.array([INTERFACES.index(name) if name in wanted else -1 for name in names])
        self._kind = np.array([int(_KINDS.get(call.kind, -1)) for call in calls])
        self._implied = np.array([call.kind in _IMPLIED for call in calls])
        self._flushes = np.array([call.kind == kinds.SYNC and "flush" in call.name for call in calls])
        self._views = np.array([call.name == "MPI_File_set_view" for call in calls])
        self._marks = np.array([call.kind == kinds.MARK for call in calls])
        self._mark_ends = np.array([call.name == "weir_mark_end" for call in calls])
        everyone = ("", "0", f"0-{self.trace.ranks - 1}")
        self._of_all = np.array([ranks in everyone for ranks in self.trace.communicators])
        self._library = np.array([name == "mpi" for name in names])
        self._memory = np.array([call.name == "shm_open" for call in calls])
        self._meets = np.array([call.name in _SYNCHRONISE for call in calls])
        self._meets |= np.array([n == "mpi-io" for n in names]) & np.isin(self._kind, (Kind.OPEN, Kind.CLOSE))

    def add(self, batch: Batch, lane: Lane) -> None:
        """The calls of a lane, all of them."""
        rank = lane.rank
        around = (self._interface[batch.call] >= 0) | self._library[batch.call]
        own = (self._interface[batch.call] >= 0) & ~inside(batch.records, around)
        self._set_aside(batch, own)
        kept = self._kept(batch, own)
        self.found.append(self._operations(batch, kept, rank))
        self.viewed += int(np.count_nonzero(own & self._views[batch.call]))
        outermost = batch.records["level"] == 0
        together = self._meets[batch.call] & (batch.records["flags"] & _COLLECTIVE > 0)
        together &= outermost | own
        communicator = lane.communicator(batch.records)
        together &= (self._interface[batch.call] == MPI_IO) | self._of_all[communicator]
        _gather(self.meetings, rank, _spans(MEETING, batch, together, batch.call))
        _gather(self.others, rank, _spans(SPAN, batch, outermost & ~kept & ~self._marks[batch.call]))
        ended = self._mark_ends[batch.call]
        if ended.any():
            self.marks.setdefault(rank, _spans(MARK, batch, ended, batch.file))

    def _set_aside(self, batch: Batch, own: NDArray[np.bool_]) -> None:
        directory = (batch.records["length"] & _O_DIRECTORY > 0) & (self._interface[batch.call] != MPI_IO)
        opens = own & (self._kind[batch.call] == Kind.OPEN)
        self.no_storage.update(batch.file[opens & (directory | self._memory[batch.call])].tolist())

    def _kept(self, batch: Batch, own: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which of its own calls are operations; the others are counted."""
        kind, result = self._kind[batch.call], batch.records["result"]
        moves = (kind == Kind.READ) | (kind == Kind.WRITE)
        for reason, which in (
            ("calls that failed", batch.failed),
            ("reads and writes that moved nothing", moves & (result == 0)),
            ("reads and writes at an offset that is not known", moves & (batch.records["offset"] < 0)),
            ("flushes of buffers", self._flushes[batch.call]),
            ("calls on files without a name", (kind >= 0) & (batch.file == 0)),
        ):
            self.left_out.add(reason, np.count_nonzero(own & which))
            own = own & ~which
        self._count_kinds(batch.call[own & (kind < 0)])
        return own & (kind >= 0)

    def _count_kinds(self, calls: NDArray[np.int64]) -> None:
        for call, count in enumerate(np.bincount(calls, minlength=0).tolist()):
            if not self._implied[call]:
                self.left_out.add(f"calls of {self.trace.calls[call].name}", count)

    def _operations(self, batch: Batch, kept: NDArray[np.bool_], rank: int) -> Operations:
        records, call = batch.records[kept], batch.call[kept]
        rows = np.zeros(len(records), OPERATION)
        rows["rank"], rows["kind"], rows["mode"] = rank, self._kind[call], self._interface[call]
        rows["file"], rows["begin_ns"], rows["end_ns"] = (
            batch.file[kept],
            batch.begin_ns[kept],
            batch.end_ns[kept],
        )
        rows["collective"] = records["flags"] & _COLLECTIVE > 0
        moves = rows["kind"] <= Kind.WRITE
        length = records["length"].astype(np.int64)
        resize = rows["kind"] == Kind.PREALLOCATE
        length[resize] += np.maximum(records["offset"][resize], 0)
        rows["length"] = np.where(moves, records["result"], np.where(rows["kind"] == Kind.SYNC, 0, length))
        rows["offset"] = np.where(moves, records["offset"], 0)
        return rows

    def picked(self) -> Picked:
        operations = np.concatenate(self.found) if self.found else np.zeros(0, OPERATION)
        if not _in_order(operations):
            operations = operations[np.lexsort((operations["begin_ns"], operations["rank"]))]
        aside = np.isin(operations["file"], list(self.no_storage))
        self.left_out.add("calls on directories and shared memory", np.count_nonzero(aside))
        operations = self._of_openers(operations[~aside] if aside.any() else operations)
        used = np.unique(operations["mode"]).tolist()
        return Picked(
            operations,
            tuple(INTERFACES[number] for number in used),
            {rank: _sorted(some) for rank, some in self.meetings.items()},
            {rank: _sorted(some) for rank, some in self.others.items()},
            self.marks[min(self.marks)] if self.marks else np.zeros(0, MARK),
            self.left_out,
            self.viewed if MPI_IO in used else 0,
        )

    def _of_openers(self, operations: Operations) -> Operations:
        """Without those of interfaces that did not open the file: what a library does later, on its own
        account."""
        if not len(operations) or (operations["mode"] == operations["mode"][0]).all():
            return operations
        files = len(self.trace.files)
        opened = np.zeros((files, len(INTERFACES)), bool)
        opens = operations["kind"] == Kind.OPEN
        opened[operations["file"][opens], operations["mode"][opens]] = True
        highest = np.full(files, -1)
        np.maximum.at(highest, operations["file"], operations["mode"])
        unopened = np.flatnonzero(~opened.any(axis=1) & (highest >= 0))
        opened[unopened, highest[unopened]] = True
        own = opened[operations["file"], operations["mode"]]
        self.left_out.add("calls that a library made later, on its own account", np.count_nonzero(~own))
        kept: Operations = operations[own]
        return kept


def _in_order(operations: Operations) -> bool:
    """By rank and begin: as lanes are, unless ranks have several threads."""
    rank, begin = operations["rank"], operations["begin_ns"]
    return not ((rank[1:] < rank[:-1]) | ((rank[1:] == rank[:-1]) & (begin[1:] < begin[:-1]))).any()


def _spans(
    dtype: np.dtype[Any], batch: Batch, which: NDArray[np.bool_], third: NDArray[np.int64] | None = None
) -> NDArray[Any]:
    rows = np.zeros(int(np.count_nonzero(which)), dtype)
    rows["begin_ns"], rows["end_ns"] = batch.begin_ns[which], batch.end_ns[which]
    if third is not None:
        rows[dtype.names[-1] if dtype.names else ""] = third[which]
    return rows


def _gather(into: dict[int, list[NDArray[Any]]], rank: int, rows: NDArray[Any]) -> None:
    into.setdefault(rank, []).append(rows)


def _sorted(some: list[NDArray[Any]]) -> NDArray[Any]:
    rows: NDArray[Any] = np.concatenate(some)
    return rows[np.argsort(rows["begin_ns"], kind="stable")]
