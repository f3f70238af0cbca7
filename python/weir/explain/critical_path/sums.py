"""Adds up the I/O calls on the critical path, in one pass over a trace's calls."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from weir.distinct import distinct
from weir.explain.nesting import Nest
from weir.explain.profile.tally import Tally
from weir.trace.model import Trace

from .rows import CriticalPath, PathCall, PathKind, PathRank
from .waits import waits_of
from .walk import Clocked, Path, path_through

Integers = NDArray[np.int64]
ALONE = 0.5
"""A call is made alone if so many of the other ranks wait meanwhile, on the average."""
MOST_CALLS = 200


class PathSums:
    """Of a trace of several ranks; of others there is no path."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._path, self._clocked = _path_of(trace)
        self._mpi = np.array([call.interface == "MPI" for call in trace.calls], bool)
        self._spent, self._alone, self._count = Tally(), Tally(), Tally()
        self._communication = 0.0
        self._ranks_there = sorted(self._clocked.ranks) if self._clocked else []

    def add(self, nest: Nest) -> None:
        """Add a batch."""
        if self._clocked is None:
            return
        batch = nest.batch
        talks = self._mpi[batch.call] & ~nest.is_io & ~nest.inside_io
        if not nest.flat:
            talks &= ~(self._mpi[batch.call[nest.parent]] & (nest.parent >= 0))
        for which, rank in self._of_ranks(nest):
            outer, spoken = which[nest.outermost_io[which]], which[talks[which]]
            self._add(rank, batch.call[outer], batch.file[outer], batch.begin_ns[outer], batch.end_ns[outer])
            own, _ = self._clocked.between(rank, batch.begin_ns[spoken], batch.end_ns[spoken])
            self._communication += float(own.sum())

    def _of_ranks(self, nest: Nest) -> Iterator[tuple[Integers, int]]:
        """The calls of each lane whose rank is on the path."""
        assert self._clocked is not None
        on_path = set(self._ranks_there)
        lanes = distinct(nest.batch.lane)
        edges = [*np.searchsorted(nest.batch.lane, lanes).tolist(), len(nest.batch)]
        for lane, start, end in zip(lanes.tolist(), edges[:-1], edges[1:], strict=True):
            if (rank := self._trace.lanes[lane].rank) in on_path:
                yield np.arange(start, end), rank

    def _add(self, rank: int, call: Integers, file: Integers, begin: Integers, end: Integers) -> None:
        assert self._clocked is not None
        own, waited = self._clocked.between(rank, begin, end)
        on = own > 0
        place = self._ranks_there.index(rank)
        key = (place * len(self._trace.calls) + call[on]) * len(self._trace.files) + file[on]
        ns = own[on].astype(np.int64)
        self._spent.add(key, ns)
        self._alone.add(key, np.where(waited[on] >= ALONE * own[on], ns, 0))
        self._count.add(key, np.ones(len(key), np.int64))

    def rows(self) -> CriticalPath | None:
        """None where there are no several ranks, or nobody knows who waited for whom."""
        if self._path is None or self._clocked is None:
            return None
        calls = sorted(self._calls(), key=lambda row: -row.seconds)
        ranks = sorted(self._ranks(calls), key=lambda row: -row.seconds)
        length = float(self._path.end - self._path.starts[0]) / 1e9
        return CriticalPath(
            length,
            min(length, sum(row.seconds for row in calls)),  # a rank may have several threads
            min(length, self._communication / 1e9),
            int(np.count_nonzero(np.diff(self._path.rank))),
            tuple(ranks),
            tuple(sorted(_kinds(calls), key=lambda row: -row.seconds)),
            tuple(calls[:MOST_CALLS]),
        )

    def _calls(self) -> Iterator[PathCall]:
        keys, spent = self._spent.sums()
        alone, counts = self._alone.sums()[1], self._count.sums()[1]
        for key, ns, alone_ns, count in zip(
            keys.tolist(), spent.tolist(), alone.tolist(), counts.tolist(), strict=True
        ):
            rest, file = divmod(key, len(self._trace.files))
            place, number = divmod(rest, len(self._trace.calls))
            call, name = self._trace.calls[number], self._trace.files[file].name
            yield PathCall(
                self._ranks_there[place],
                call.interface,
                call.name,
                call.kind,
                name,
                count,
                ns / 1e9,
                alone_ns / 1e9,
            )

    def _ranks(self, calls: list[PathCall]) -> Iterator[PathRank]:
        assert self._clocked is not None
        io, alone = dict.fromkeys(self._clocked.ranks, 0.0), dict.fromkeys(self._clocked.ranks, 0.0)
        for row in calls:
            io[row.rank] += row.seconds
            alone[row.rank] += row.serial_s
        for rank in self._clocked.ranks:
            whole = self._clocked.whole_ns(rank) / 1e9
            yield PathRank(rank, whole, min(whole, io[rank]), min(whole, alone[rank]))


def _kinds(calls: list[PathCall]) -> Iterator[PathKind]:
    counts: Counter[tuple[str, str, str]] = Counter()
    seconds: Counter[tuple[str, str, str]] = Counter()
    for row in calls:
        key = row.interface, row.name, row.kind
        counts[key] += row.calls
        seconds[key] += row.seconds  # type: ignore[assignment] # typeshed: whole numbers only
    for key, count in counts.items():
        yield PathKind(*key, count, seconds[key])


def _path_of(trace: Trace) -> tuple[Path | None, Clocked | None]:
    """Both None where there is none."""
    if not trace.ranked or trace.ranks < 2:
        return None, None
    waits = waits_of(trace)
    if not waits.meetings:
        return None, None
    last, end = _last_of(trace)
    path = path_through(waits, last, end)
    return path, Clocked(path, waits, trace.ranks)


def _last_of(trace: Trace) -> tuple[int, int]:
    """The rank that ended last, and when."""
    ends = [(life.ended_ns, life.rank) for life in trace.lives]
    ends += [
        (int(lane.clock.ns_at(lane.records[len(lane.records) - 1 :]["end_ticks"])[0]), lane.rank)
        for lane in trace.lanes
        if len(lane.records)
    ]
    end, rank = max(ends)
    return rank, end
