"""Which calls were made inside which: the level of records, turned into parents."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from weir.distinct import distinct
from weir.trace.batch import Batch
from weir.trace.model import NO_IO, Trace

NOT_IO = ("MPI", "MARK", "DAMAGED")
"""Interfaces whose calls are no I/O by themselves."""
SYSTEM = ("POSIX", "STDIO")
"""Interfaces of the system. Of libraries for files all calls are I/O: waits too have requests inside."""
SETUP = ("MPI_Init", "MPI_Finalize")


def io_calls(trace: Trace) -> NDArray[np.bool_]:
    """Which of the trace's calls are I/O."""
    return np.array(
        [
            call.interface not in NOT_IO and (call.interface not in SYSTEM or call.kind not in NO_IO)
            for call in trace.calls
        ],
        dtype=bool,
    )


def setup_calls(trace: Trace) -> NDArray[np.bool_]:
    """Which of the trace's calls start or end MPI: the files used inside them are its own."""
    return np.array(
        [call.interface == "MPI" and call.name.startswith(SETUP) for call in trace.calls], dtype=bool
    )


@dataclass(frozen=True)
class Nest:
    """How the calls of a batch lie in each other. A call stands behind those inside it."""

    batch: Batch
    is_io: NDArray[np.bool_]
    """Of each call of the batch."""

    def without_inside(self, outer: NDArray[np.bool_]) -> "Nest":
        """The same without what was called, at any depth, inside these calls of the trace."""
        if self.flat or not outer[self.batch.call].any():
            return self
        inside = self._inside(outer[self.batch.call])
        return Nest(self.batch.only(~inside), self.is_io[~inside])

    def _inside(self, these: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which calls were made, at any depth, inside these of the batch."""
        inside = np.zeros(len(self.batch), bool)
        for depth in distinct(self.batch.level):
            at = np.flatnonzero((self.batch.level == depth) & (self.parent >= 0))
            around = self.parent[at]
            inside[at] = these[around] | inside[around]
        return inside

    @cached_property
    def flat(self) -> bool:
        """Is no call inside another?"""
        return not self.batch.level.any()

    @cached_property
    def parent(self) -> NDArray[np.int64]:
        """For each call, the place in the batch of the one around it; -1 for none."""
        level = self.batch.level
        parent = np.full(len(level), -1, np.int64)
        for depth in distinct(level):
            if depth == 0:
                continue
            inner = np.flatnonzero(level == depth)
            outer = np.flatnonzero(level < depth)
            after = np.searchsorted(outer, inner)
            found = after < len(outer)
            parent[inner[found]] = outer[after[found]]
        if len(self.batch.lanes) > 1:  # a lane may end inside a call that never did
            strange = self.batch.lane[parent] != self.batch.lane
            parent[strange] = -1
        return parent

    @cached_property
    def inside_io(self) -> NDArray[np.bool_]:
        """Which calls were made, at any depth, inside an I/O call."""
        return np.zeros(len(self.batch), bool) if self.flat else self._inside(self.is_io)

    @cached_property
    def outermost_io(self) -> NDArray[np.bool_]:
        """Which calls are I/O as the program itself asked for it."""
        return self.is_io if self.flat else self.is_io & ~self.inside_io

    @cached_property
    def own_ns(self) -> NDArray[np.int64]:
        """How long each call took without the recorded calls inside it."""
        if self.flat:
            return self.batch.took_ns
        own = self.batch.took_ns.copy()
        inner = np.flatnonzero(self.parent >= 0)
        np.subtract.at(own, self.parent[inner], self.batch.took_ns[inner])
        return own
