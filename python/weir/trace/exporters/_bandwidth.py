"""Bytes moved over time, by interface and kind, in intervals of equal length."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from weir.trace.kinds import TRANSFERS
from weir.trace.model import Trace

INTERVALS = 1000


class Bandwidth:
    """The bytes of each call are spread evenly over the time that it took."""

    def __init__(self, trace: Trace) -> None:
        self._end_ns = max(trace.run_ns, 1)
        self.groups = list(
            dict.fromkeys((call.interface, call.kind) for call in trace.calls if call.kind in TRANSFERS)
        )
        numbers = {group: number for number, group in enumerate(self.groups)}
        self._group = np.array([numbers.get((call.interface, call.kind), -1) for call in trace.calls])
        self._whole = np.zeros((len(self.groups), INTERVALS))
        # Of calls over several intervals: rates that begin (or end) in one, and rates times their edges.
        self._edges = np.zeros((len(self.groups), 4, INTERVALS + 1))

    def add(
        self,
        call: NDArray[np.int64],
        begin_ns: NDArray[np.int64],
        end_ns: NDArray[np.int64],
        moved: NDArray[np.int64],
    ) -> None:
        """Add calls: indices into the trace's calls, nanoseconds, bytes."""
        width = self._end_ns / INTERVALS
        group = self._group[call]
        for number in np.unique(group[group >= 0]):
            which = (group == number) & (moved > 0)
            begin = np.clip(begin_ns[which] / width, 0, INTERVALS * (1 - 1e-12))
            end = np.clip(end_ns[which] / width, begin, INTERVALS)
            self._add(int(number), begin, end, moved[which])

    def _add(
        self, number: int, begin: NDArray[np.float64], end: NDArray[np.float64], moved: NDArray[np.int64]
    ) -> None:
        within = np.ceil(end) - np.floor(begin) <= 1
        at = begin[within].astype(int)
        self._whole[number] += np.bincount(at, moved[within], INTERVALS)
        begin, end = begin[~within], end[~within]
        rate = moved[~within] / (end - begin)
        for row, edge in ((0, begin), (2, end)):
            at = np.ceil(edge).astype(int)
            self._edges[number, row] += np.bincount(at, rate, INTERVALS + 1)
            self._edges[number, row + 1] += np.bincount(at, rate * edge, INTERVALS + 1)

    def bytes_per_s(self) -> Iterator[tuple[str, str, float, list[float]]]:
        """Interface, kind, an interval's length in nanoseconds, and the bytes a second in each interval."""
        edges = np.arange(INTERVALS + 1)
        seconds = self._end_ns / INTERVALS / 1e9
        for (interface, kind), whole, sums in zip(self.groups, self._whole, self._edges, strict=True):
            begun, begun_at, ended, ended_at = np.cumsum(sums, axis=1)
            moved = whole + np.diff((begun - ended) * edges - (begun_at - ended_at))
            if moved.any():
                # What is left of rounding where nothing was moved is nothing.
                moved[moved < 1e-9 * moved.max()] = 0
                yield interface, kind, self._end_ns / INTERVALS, list(moved / seconds)
