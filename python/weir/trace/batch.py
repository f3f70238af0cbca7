"""Calls as columns: the input of all tables and figures."""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

FIRST_HALF, SECOND_HALF = 8, 16
"""Flags of the two records of one call that moves data from a file to another: what it read, and behind that
what it wrote, each with half of its time."""


@dataclass(frozen=True)
class Batch:
    """Some of the calls of one lane, or all of several short ones, lane by lane, each lane's in the order in
    which they ended. All arrays have one length."""

    lane: NDArray[np.int64]
    """Index into Trace.lanes; never less than that of the call before."""
    records: NDArray[Any]
    """As recorded, of dtype RECORD; their columns are below, in memory of their own."""
    call: NDArray[np.int64]
    """Index into Trace.calls."""
    file: NDArray[np.int64]
    """Index into Trace.files; 0 is no file."""
    begin_ns: NDArray[np.int64]
    """Since the trace's first call began."""
    end_ns: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.records)

    def only(self, which: NDArray[np.bool_]) -> "Batch":
        """Those calls alone."""
        return Batch(*(getattr(self, column.name)[which] for column in fields(self)))

    @property
    def lanes(self) -> range:
        """Indexes into Trace.lanes of those that it may hold calls of."""
        return range(int(self.lane[0]), int(self.lane[-1]) + 1) if len(self.lane) else range(0)

    @cached_property
    def offset(self) -> NDArray[np.int64]:
        """In the file, of the first byte; -1: none."""
        return np.ascontiguousarray(self.records["offset"])

    @cached_property
    def length(self) -> NDArray[np.uint64]:
        """Bytes asked for."""
        return np.ascontiguousarray(self.records["length"])

    @cached_property
    def result(self) -> NDArray[np.int64]:
        """Bytes moved, or what else the call returned; minus the error number where it failed."""
        return np.ascontiguousarray(self.records["result"])

    @cached_property
    def moved(self) -> NDArray[np.int64]:
        """Bytes that a read or write has moved; of other calls without a meaning."""
        return np.maximum(self.result, 0)

    @cached_property
    def level(self) -> NDArray[np.uint8]:
        """Calls of the thread around it."""
        return np.ascontiguousarray(self.records["level"])

    @cached_property
    def flags(self) -> NDArray[np.uint8]:
        """Of `Flag` in the format."""
        return np.ascontiguousarray(self.records["flags"])

    @cached_property
    def counted(self) -> NDArray[np.bool_]:
        """Which of them are calls: all but the first halves, whose call is that of the second."""
        counted: NDArray[np.bool_] = (self.flags & FIRST_HALF) == 0
        return counted

    @cached_property
    def call_took_ns(self) -> NDArray[np.int64]:
        """How long the call took that each of them is, or is half of."""
        halves = (self.flags & (FIRST_HALF | SECOND_HALF)) != 0
        return self.took_ns * (1 + halves) if halves.any() else self.took_ns

    @cached_property
    def took_ns(self) -> NDArray[np.int64]:
        """How long each call took."""
        took: NDArray[np.int64] = self.end_ns - self.begin_ns
        return took

    @cached_property
    def failed(self) -> NDArray[np.bool_]:
        """Which of them failed."""
        failed: NDArray[np.bool_] = self.result < 0
        return failed
