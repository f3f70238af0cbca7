"""A trace as tables and figures use it: lanes of calls on one clock, one set of names, and the kinds of
operations as the recorder names them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from weir.pattern import Memory
from weir.trace.lane import BATCH, Lane, batches_of, communicators_of
from weir.units import count_words

from .batch import FIRST_HALF, Batch
from .names import Call, File
from .unseen import Unseen

OPEN, CLOSE, READ, WRITE, SEEK, SYNC = "open", "close", "read", "write", "seek", "sync"
RESIZE, STAT, REMOVE, RENAME, MAP = "resize", "stat", "remove", "rename", "map"
COMMUNICATE, WAIT, MARK, OTHER = "communicate", "wait", "mark", "other"

TRANSFERS = (READ, WRITE)
"""They move bytes between the program and files."""

NO_IO = (COMMUNICATE, WAIT, MARK, OTHER)
"""They are no I/O, unless they happen inside a call that is."""


@dataclass(frozen=True)
class Lost:
    """Calls that were counted and not recorded."""

    call: str
    calls: int
    bytes: int
    took_ns: int


@dataclass(frozen=True)
class Layout:
    """How a file lies on its file system: the bytes of a stripe or else of a block, and the storage targets
    of Lustre, where that is known."""

    alignment_bytes: int | None
    targets: tuple[int, ...] = ()


@dataclass(frozen=True)
class Life:
    """When a process was there, since the trace's first call began. Of one whose end is not known, the end is
    its beginning."""

    rank: int
    process: int
    began_ns: int
    ended_ns: int


@dataclass(frozen=True)
class Trace:
    """What a program asked of storage, call by call."""

    name: str
    """Where it came from: a folder, or a log's file."""
    command: str
    ranks: int
    hosts: tuple[str, ...]
    began_real_ns: int
    """When its first call began, since 1970."""
    calls: tuple[Call, ...]
    files: tuple[File, ...]
    """The first is no file. A dataset's `parent` is its file's index. Names of marks stand here too."""
    lanes: tuple[Lane, ...]
    """By rank, process and thread."""
    processes: int
    run_ns: int
    """From the start of the first process to the end of the last, or to its last call."""
    communicators: tuple[str, ...] = ("",)
    """The ranks of each, as `0-3,8`. The first is none, or not known."""
    ranked: bool = True
    """Are the ranks those of a parallel program? Else they are its processes, counted."""
    alive_ns: int = 0
    """How long processes were there, each as often as it had threads that made calls; 0: not known."""
    threads_at_a_time: Mapping[int, float] = field(default_factory=dict)
    """By rank, how many of its threads ran at a time, on the average; of others it is not known."""
    lives: tuple[Life, ...] = ()
    """Of all processes of `ranks`, also of those without calls; empty: not known."""
    unended: tuple[int, ...] = ()
    """Ranks with a process that did not end by itself."""
    missing: tuple[int, ...] = ()
    """Ranks of which nothing was recorded, of programs that said how many they were."""
    end_known: bool = True
    """False where a process lost calls after its last one here, and could not record when it ended."""
    lost: tuple[Lost, ...] = ()
    lost_why: tuple[int, ...] = ()
    """Error numbers with which the system refused room; EFBIG: the bound was reached."""
    lost_from_ns: int | None = None
    """When the last call before those was recorded, of the thread that was the first."""
    data_memory: Mapping[str, Memory] = field(default_factory=dict)
    """By interface, where the data of its calls lay, about, in the process with most; of others it is not
    known."""
    unseen: tuple[Unseen, ...] = ()
    """What was done and is not in it."""
    layouts: Mapping[int, Layout] = field(default_factory=dict)
    """Of files, by their indexes; of others it is not known."""
    notes: tuple[str, ...] = field(default=())
    """What a reader must know: parts that are missing, damaged, or not recorded in such a log."""
    damaged: int = 0
    """How many of the notes tell of parts that cannot be read."""

    @property
    def records(self) -> int:
        """How many there are: one a call; two for a call that moves data from a file to another."""
        return sum(len(lane.records) for lane in self.lanes)

    @property
    def recorded(self) -> int:
        """How many calls were recorded."""
        kinds: dict[tuple[str, str], set[str]] = {}
        for call in self.calls:
            kinds.setdefault((call.interface, call.name), set()).add(call.kind)
        halved = np.array([len(kinds[call.interface, call.name]) > 1 for call in self.calls], bool)
        halves = sum(
            int(np.count_nonzero(lane.records[begin : begin + BATCH]["flags"] & FIRST_HALF))
            for lane in self.lanes
            if halved[lane.call_index].any()  # else do not read its records: they may be very many
            for begin in range(0, len(lane.records), BATCH)
        )
        return self.records - halves

    @property
    def inexact(self) -> tuple[str, ...]:
        """Why it does not have all that the program did, in words; empty: it is not known to lack anything.
        Programs that were started without the recorder, and still run, may have done nothing."""
        lost = sum(one.calls for one in self.lost)
        found = [f"{count_words(lost, 'call')} found no room, and are only counted"] if lost else []
        missing = sorted({one.program for one in self.unseen if one.moved})
        found += [f"some of what {program} read or wrote is not in the trace" for program in missing]
        moved = sorted({one.program for one in self.unseen if one.reason == "misplaced"})
        found += [
            f"some of what {program} appended landed at other offsets than recorded" for program in moved
        ]
        return tuple(found)

    @property
    def at_a_time(self) -> float | None:
        """The mean number of threads with calls that ran at a time, at least 1; of ranks, as many as there
        are at least. None where it is not known."""
        if self.ranked:
            return max(1.0, self.ranks, sum(self.threads_of.values()))
        if self.alive_ns <= 0 or self.run_ns <= 0:
            return None
        return max(1.0, self.alive_ns / self.run_ns)

    @property
    def threads_of(self) -> Mapping[int, float]:
        """Of each rank with calls, how many threads ran at a time; where that is not known, all."""
        return {
            rank: self.threads_at_a_time.get(rank, threads)
            for rank, threads in Counter(lane.rank for lane in self.lanes).items()
        }

    def batches(self, size: int = BATCH) -> Iterator[Batch]:
        """All calls, lane by lane, in batches of about `size`, each with whole nests of calls."""
        return batches_of(self.lanes, size)

    def communicators_of(self, batch: Batch) -> NDArray[np.int64]:
        """Indexes into `communicators`, of a batch's records of communication."""
        return communicators_of(self.lanes, batch)

    def calls_of(self, *, interface: str | None = None, kind: str | None = None) -> NDArray[np.bool_]:
        """Which of `calls` are of this interface and kind."""
        wanted = [interface in (None, call.interface) and kind in (None, call.kind) for call in self.calls]
        return np.array(wanted, bool)
