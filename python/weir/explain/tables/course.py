"""How the run went: bandwidth over time, and how busy each rank was with I/O."""

import numpy as np
from numpy.typing import NDArray

from weir.explain.nesting import Nest
from weir.explain.summary import Course
from weir.trace.kinds import READ, WRITE
from weir.trace.model import Trace

INTERVALS = 240
MOST_BANDS = 256


class CourseTable:
    """Spreads each outermost call evenly over its time."""

    def __init__(self, trace: Trace) -> None:
        self._reads = trace.calls_of(kind=READ)
        self._writes = trace.calls_of(kind=WRITE)
        self._interval_ns = max(1.0, trace.run_ns / INTERVALS)
        ranks = sorted({lane.rank for lane in trace.lanes})
        self._ranks_a_band = -(-len(ranks) // MOST_BANDS) or 1
        band = {rank: number // self._ranks_a_band for number, rank in enumerate(ranks)}
        self._band = np.array([band[lane.rank] for lane in trace.lanes], np.int64)
        self._lanes_of_band = np.bincount(self._band)
        self._bytes = np.zeros((2, INTERVALS))
        self._busy = np.zeros((len(self._lanes_of_band), INTERVALS))

    def add(self, nest: Nest) -> None:
        """Add a batch."""
        batch = nest.batch
        outer = slice(None) if nest.outermost_io.all() else np.flatnonzero(nest.outermost_io)
        begin, end, call = batch.begin_ns[outer], batch.end_ns[outer], batch.call[outer]
        moved = batch.moved[outer] * (self._reads | self._writes)[call]
        times = _Spread(begin, end, self._interval_ns)
        first, last = self._band[batch.lanes[0]], self._band[batch.lanes[-1]]
        band = self._band[batch.lane[outer]] - first
        self._busy[first : last + 1] += times.of(end - begin, band, int(last - first) + 1)
        self._bytes += times.of(moved, self._writes[call].astype(np.int64), 2)

    def course(self) -> Course:
        """What was added up."""
        room = self._interval_ns * np.maximum(1, self._lanes_of_band)[:, None]
        return Course(
            interval_s=self._interval_ns / 1e9,
            read_bytes=tuple(self._bytes[0].tolist()),
            written_bytes=tuple(self._bytes[1].tolist()),
            ranks_a_band=self._ranks_a_band,
            heat=tuple(tuple(row) for row in (self._busy / room).tolist()),
        )


class _Spread:
    """Lays weights of calls on the intervals that each call touches, by the time that it spent in each."""

    def __init__(self, begin: NDArray[np.int64], end: NDArray[np.int64], interval_ns: float) -> None:
        self._first = (begin * (1 / interval_ns)).astype(np.int64).clip(0, INTERVALS - 1)
        last = (end * (1 / interval_ns)).astype(np.int64).clip(0, INTERVALS - 1)
        self._longer = np.flatnonzero(last > self._first)
        begin, end = begin[self._longer], end[self._longer]
        self._from, self._to = self._first[self._longer] + 1, last[self._longer]
        # The shares of a call's weight in its first interval, in each between, and in its last.
        self._head = np.minimum((self._from * interval_ns - begin) / (end - begin), 1)
        self._each = interval_ns / (end - begin)
        self._tail = 1 - self._head - self._each * (self._to - self._from)

    def of(self, weights: NDArray[np.int64], row: NDArray[np.int64], rows: int) -> NDArray[np.float64]:
        """The sums of each row and interval."""
        shape = rows, INTERVALS + 1
        heads = weights.astype(np.float64)
        heads[self._longer] *= self._head
        row = row * (INTERVALS + 1)
        sums = _sums(row + self._first, heads, shape)
        if len(self._longer):
            weights, row = weights[self._longer], row[self._longer]
            sums += _sums(row + self._to, weights * self._tail, shape)
            # Between, a weight is there from one interval on and no more from another on.
            each, begins, ends = weights * self._each, row + self._from, row + self._to
            between = np.cumsum(_sums(begins, each, shape) - _sums(ends, each, shape), axis=1)
            calls = np.cumsum(_sums(begins, None, shape) - _sums(ends, None, shape), axis=1)
            sums += np.where(calls > 0, between, 0)  # without what is left of rounding
        return sums[:, :INTERVALS]


def _sums(
    place: NDArray[np.int64], weights: NDArray[np.float64] | None, shape: tuple[int, int]
) -> NDArray[np.float64]:
    return np.bincount(place, weights, shape[0] * shape[1]).reshape(shape).astype(np.float64)
