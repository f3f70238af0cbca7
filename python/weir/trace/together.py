"""Several short lanes as one batch: traces of very many processes have few calls in each."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .batch import Batch
from .lane import Lane, clocks_ns_at
from .stream import RECORD

Integers = NDArray[np.int64]

BATCH = 1 << 15
"""Calls worked on at once: their columns fit into the processor's cache."""


def batches_of(lanes: Sequence[Lane], size: int = BATCH) -> Iterator[Batch]:
    """All calls, lane by lane, in pieces of about `size`: whole lanes together where they are short, and
    others cut where no call is inside another."""
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
    """All calls of these lanes; `first` is the first one's number."""
    if len(lanes) == 1:
        return lanes[0].batch(first, 0, len(lanes[0].records))
    counts = np.array([len(lane.records) for lane in lanes])
    records = np.concatenate([lane.records[:] for lane in lanes], dtype=RECORD)
    at = np.repeat(np.arange(len(lanes)), counts)
    clocks = [lane.clock for lane in lanes]
    return Batch(
        at + first,
        records,
        _looked_up([lane.call_index for lane in lanes], at, records["call"]),
        _looked_up([lane.file_index for lane in lanes], at, records["file"]),
        clocks_ns_at(clocks, at, records["begin_ticks"]),
        clocks_ns_at(clocks, at, records["end_ticks"]),
    )


def _looked_up(tables: Sequence[Integers], which: Integers, numbers: NDArray[Any]) -> Integers:
    """Of each number, what its table has for it; the table's last element stands for all greater ones."""
    lengths = np.array([len(table) for table in tables])
    begin = np.cumsum(lengths) - lengths
    found: Integers = np.concatenate(tables)[begin[which] + np.minimum(numbers, lengths[which] - 1)]
    return found


def communicators_of(lanes: Sequence[Lane], batch: Batch) -> Integers:
    """Indexes into Trace.communicators of a batch's records of communication."""
    some = lanes[batch.lanes.start : batch.lanes.stop]
    tables = [lane.communicator_index for lane in some] or [np.zeros(1, np.int64)]
    return _looked_up(tables, batch.lane - batch.lanes.start, batch.records["file"])
