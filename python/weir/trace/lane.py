"""A lane: what one thread of one rank did; and the calls of several lanes in batches."""

import mmap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.trace.batch import Batch
from weir.trace.stream import RECORD


@dataclass(frozen=True)
class Clock:
    """Converts a stream's ticks to nanoseconds since the trace's first call began: at `ticks` it is `ns`."""

    ticks: int
    ns: int
    ticks_per_ns: float

    def ns_at(self, ticks: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Of these ticks."""
        return _ns_at(ticks, _wrapped(self.ticks), _wrapped(self.ns), self.ticks_per_ns)


def clocks_ns_at(
    clocks: Sequence[Clock], which: NDArray[np.int64], ticks: NDArray[np.uint64]
) -> NDArray[np.int64]:
    """Nanoseconds of these ticks, each by its own clock."""
    rates = [clock.ticks_per_ns for clock in clocks]
    rate = rates[0] if len(set(rates)) == 1 else np.array(rates)[which]
    start = np.array([(_wrapped(clock.ticks), _wrapped(clock.ns)) for clock in clocks])[which]
    return _ns_at(ticks, start[:, 0], start[:, 1], rate)


def _ns_at(
    ticks: NDArray[np.uint64],
    start: NDArray[np.int64] | np.int64,
    start_ns: NDArray[np.int64] | np.int64,
    ticks_per_ns: NDArray[np.float64] | float,
) -> NDArray[np.int64]:
    since = ticks.view(np.int64) if ticks.flags.c_contiguous else ticks.astype(np.int64)
    since = since - start
    if np.any(ticks_per_ns != 1):
        with np.errstate(invalid="ignore"):  # a damaged clock
            scaled = (since * (1 / ticks_per_ns)).astype(np.int64)
        since = np.where(ticks_per_ns == 1, since, scaled)
    since += start_ns
    return since


def _wrapped(number: int) -> np.int64:
    """Modulo 2^64, as the clock counts: a damaged trace may hold any number."""
    return np.int64((number + 2**63) % 2**64 - 2**63)


@dataclass(frozen=True)
class Lane:
    """The calls of one thread, in the order in which they ended."""

    rank: int
    """Of MPI, or as the launcher counts; of other programs their processes, counted from 0."""
    host: str
    process: int
    thread: int
    records: NDArray[Any]
    """Of dtype RECORD; mapped from the trace's file where there is one."""
    clock: Clock
    call_index: NDArray[np.int64]
    """From a record's `call` to its index in Trace.calls."""
    file_index: NDArray[np.int64]
    """From a record's `file` to its index in Trace.files."""
    communicator_index: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, np.int64))
    """From the `file` of a record of communication to its index in Trace.communicators."""

    types: Mapping[int, str] = field(default_factory=dict)
    """By number, how datatypes of MPI of its process were made, of types with lower numbers."""

    def release_pages(self) -> None:
        """Give back the memory of records that are mapped: they are read from their file again if needed."""
        base: Any = self.records
        while isinstance(base, np.ndarray):
            base = base.base
        if isinstance(base, mmap.mmap):
            base.madvise(mmap.MADV_DONTNEED)

    def communicator(self, records: NDArray[Any]) -> NDArray[np.int64]:
        """Indexes into Trace.communicators of records of communication of this lane."""
        last = len(self.communicator_index) - 1
        found: NDArray[np.int64] = self.communicator_index[np.minimum(records["file"], last)]
        return found

    def end_of_nest(self, end: int, near: int) -> int:
        """One past the first outermost call from `end` on."""
        looked, some = end - 1, min(256, near)  # look at few: packed records are unpacked where they are read
        while looked < len(self.records):
            outer = np.flatnonzero(self.records[looked : looked + some]["level"] == 0)
            if len(outer):
                return looked + int(outer[0]) + 1
            looked, some = looked + some, 2 * some
        return len(self.records)

    def batch(self, number: int, begin: int, end: int) -> Batch:
        """The calls from `begin` to `end`; `number` is the lane's own."""
        records = self.records[begin:end]
        return Batch(
            np.full(len(records), number, np.int64),
            records,
            self.call_index[np.minimum(records["call"], len(self.call_index) - 1)],
            self.file_index[np.minimum(records["file"], len(self.file_index) - 1)],
            self.clock.ns_at(records["begin_ticks"]),
            self.clock.ns_at(records["end_ticks"]),
        )


Integers = NDArray[np.int64]

BATCH = 1 << 15
"""Calls in a batch: their columns fit into the processor's cache."""


def batches_of(lanes: Sequence[Lane], size: int = BATCH) -> Iterator[Batch]:
    """All calls, lane by lane, in batches of about `size`: several short lanes in one, since traces of many
    processes have few calls in each; long lanes are cut between outermost calls."""
    begin, count = 0, 0
    for number, lane in enumerate(lanes):
        own = len(lane.records)
        if count and count + own > size:
            yield batch_of(lanes[begin:number], begin)
            begin, count = number, 0
        if own <= size:
            count += own
        else:
            yield from _cut(lane, number, size)
            begin = number + 1
    if count:
        yield batch_of(lanes[begin:], begin)


def _cut(lane: Lane, number: int, size: int) -> Iterator[Batch]:
    begin = 0
    while begin < len(lane.records):
        end = lane.end_of_nest(begin + size, size)
        yield lane.batch(number, begin, end)
        begin = end


def batch_of(lanes: Sequence[Lane], first: int) -> Batch:
    """All calls of these lanes; `first` is the number of the first lane."""
    if len(lanes) == 1:
        return lanes[0].batch(first, 0, len(lanes[0].records))
    counts = np.array([len(lane.records) for lane in lanes])
    records = np.concatenate([lane.records[:] for lane in lanes], dtype=RECORD)
    at = np.repeat(np.arange(len(lanes)), counts)
    clocks = [lane.clock for lane in lanes]
    return Batch(
        at + first,
        records,
        _look_up([lane.call_index for lane in lanes], at, records["call"]),
        _look_up([lane.file_index for lane in lanes], at, records["file"]),
        clocks_ns_at(clocks, at, records["begin_ticks"]),
        clocks_ns_at(clocks, at, records["end_ticks"]),
    )


def _look_up(tables: Sequence[Integers], which: Integers, numbers: NDArray[Any]) -> Integers:
    """Of each number, the entry of its table; a table's last entry stands for all greater numbers."""
    lengths = np.array([len(table) for table in tables])
    begin = np.cumsum(lengths) - lengths
    found: Integers = np.concatenate(tables)[begin[which] + np.minimum(numbers, lengths[which] - 1)]
    return found


def communicators_of(lanes: Sequence[Lane], batch: Batch) -> Integers:
    """Indexes into Trace.communicators of a batch's records of communication."""
    some = lanes[batch.lanes.start : batch.lanes.stop]
    tables = [lane.communicator_index for lane in some] or [np.zeros(1, np.int64)]
    return _look_up(tables, batch.lane - batch.lanes.start, batch.records["file"])
