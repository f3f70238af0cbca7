"""Calls of one thread, as columns: what all tables and pictures are made from."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Batch:
    """Some of the calls of one lane, in the order in which they ended. All arrays have one length."""

    lane: int
    """Index into Trace.lanes."""
    records: NDArray[Any]
    """As recorded, of dtype RECORD: `offset`, `length`, `result`, `level` and `flags` are read from it."""
    call: NDArray[np.int64]
    """Index into Trace.calls."""
    file: NDArray[np.int64]
    """Index into Trace.files; 0 is no file."""
    begin_ns: NDArray[np.int64]
    """Since the trace's first call began."""
    end_ns: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.records)

    @cached_property
    def took_ns(self) -> NDArray[np.int64]:
        """How long each call took."""
        took: NDArray[np.int64] = self.end_ns - self.begin_ns
        return took

    @cached_property
    def failed(self) -> NDArray[np.bool_]:
        """Which of them failed; their `result` is minus the error number."""
        failed: NDArray[np.bool_] = self.records["result"] < 0
        return failed
