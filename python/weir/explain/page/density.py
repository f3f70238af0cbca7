"""The trace from afar: for each row (a lane, or neighbouring lanes), level and kind, the share of time in
each of many equal bins. The page draws it until single calls can be resolved."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weir.trace.model import Trace

from .calls import Columns, Integers

LEVELS = 6
"""Deeper ones are drawn with the last."""

MOST_ROWS = 512
LEAST_BINS, MOST_BINS = 1 << 6, 1 << 14
MOST_CELLS = 1 << 22
STEPS = 31
"""Shares have this many steps; a share that is not 0 is at least one."""


@dataclass(frozen=True)
class Density:
    """`shares` has a row for each of `series`: (row, level, kind)."""

    rows: int
    bins: int
    bin_ns: float
    series: list[tuple[int, int, int]]
    shares: NDArray[np.uint8]


class Gauge:
    """Adds up the time in each bin, piece by piece."""

    def __init__(self, trace: Trace, kinds: Integers, kind_count: int) -> None:
        """`kinds` gives the kind of each of the trace's calls."""
        self._lanes = max(len(trace.lanes), 1)
        self._kinds = kinds
        self._kind_count = kind_count
        self.rows = min(self._lanes, MOST_ROWS)
        series_of_a_row = 4
        fitting = MOST_CELLS // (self.rows * series_of_a_row)
        enough = 4 * trace.records  # more bins than calls show nothing more
        self.bins = 1 << (max(LEAST_BINS.bit_length(), min(MOST_BINS, fitting, enough).bit_length()) - 1)
        self.bin_ns = max(trace.run_ns, 1) / self.bins
        self._sums: dict[int, NDArray[np.float64]] = {}

    def add(self, calls: Columns) -> None:
        """Count these calls in."""
        row = calls.lane * self.rows // self._lanes
        series = (row * LEVELS + np.minimum(calls.level, LEVELS - 1)) * self._kind_count + self._kinds[
            calls.call
        ]
        present = np.flatnonzero(np.bincount(series))
        index = np.searchsorted(present, series)
        # At once as many series as fit into the processor's cache, since a piece may hold many short lanes.
        for low, high in _stretches(len(present), max(1, (1 << 20) // self.bins)):
            some = (index >= low) & (index < high)
            times = self._times(index[some] - low, high - low, calls.begin[some], calls.end[some])
            for number, sums in zip(present[low:high].tolist(), times, strict=True):
                self._sums[number] = self._sums[number] + sums if number in self._sums else sums

    def _times(self, index: Integers, count: int, begin: Integers, end: Integers) -> NDArray[np.float64]:
        first = np.clip(begin / self.bin_ns, 0, self.bins - 1e-6)
        last = np.clip(end / self.bin_ns, 0, self.bins - 1e-6)
        low, high = first.astype(np.int64), last.astype(np.int64)
        width = self.bins + 1
        size = count * width
        base = index * width
        # A call covers a part of its first and of its last bin, and all between: +1 where that begins, -1
        # where it ends, summed up.
        covered = np.bincount(base + low, last.clip(max=low + 1) - first, size).astype(np.float64)
        longer = high > low
        base, low, high, last = base[longer], low[longer], high[longer], last[longer]
        covered = covered + np.bincount(base + high, last - high, size)
        whole = np.bincount(base + low + 1, minlength=size) - np.bincount(base + high, minlength=size)
        covered = covered.reshape(count, width)
        covered += np.cumsum(whole.reshape(count, width), axis=1)
        kept: NDArray[np.float64] = covered[:, : self.bins]
        return kept

    def density(self) -> Density:
        """What was counted, as shares of the time of all lanes of a row."""
        lanes = np.bincount(np.arange(self._lanes) * self.rows // self._lanes, minlength=self.rows)
        numbers = sorted(self._sums)
        series = [self._series(number) for number in numbers]
        merged = 1
        while len(numbers) * self.bins > MOST_CELLS * merged and self.bins > LEAST_BINS * merged:
            merged *= 2
        shares = np.zeros((len(numbers), self.bins // merged), np.uint8)
        for at, number in enumerate(numbers):
            share = self._sums[number].reshape(-1, merged).mean(axis=1) / lanes[series[at][0]]
            shares[at] = np.where(share > 0, np.clip(np.rint(share * STEPS), 1, STEPS), 0)
        return Density(self.rows, self.bins // merged, self.bin_ns * merged, series, shares)

    def _series(self, number: int) -> tuple[int, int, int]:
        rest, kind = divmod(number, self._kind_count)
        row, level = divmod(rest, LEVELS)
        return row, level, kind


def _stretches(count: int, size: int) -> Iterator[tuple[int, int]]:
    for part in range(math.ceil(count / size)):
        yield part * size, min(count, (part + 1) * size)
