"""What each rank did."""

import numpy as np

from weir.explain.nesting import Nest
from weir.explain.summary import RankRow
from weir.trace.kinds import COMMUNICATE, READ, TRANSFERS, WAIT, WRITE
from weir.trace.model import Trace

SYSTEM = ("POSIX", "STDIO")
"""Interfaces below which nothing is seen: the system's, and stdio, which calls it unseen."""


class RankTable:
    """Sums by rank."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._reads = trace.calls_of(kind=READ)
        self._writes = trace.calls_of(kind=WRITE)
        self._system = np.array([c.interface in SYSTEM and c.kind in TRANSFERS for c in trace.calls])
        self._communicates = np.array([call.kind in (COMMUNICATE, WAIT) for call in trace.calls])
        self._sums: dict[int, list[float]] = {lane.rank: [0.0] * 7 for lane in trace.lanes}

    def add(self, nest: Nest) -> None:
        """Add a batch."""
        batch = nest.batch
        call, took = batch.call, batch.took_ns
        moved = batch.moved
        outer = nest.outermost_io
        reads, writes = outer & self._reads[call], outer & self._writes[call]
        communicates = self._communicates[call] & ~nest.inside_io
        sums = self._sums[self._trace.lanes[batch.lane].rank]
        for i, (what, which) in enumerate(
            (
                (moved, reads),
                (moved, writes),
                (moved, self._system[call]),
                (took, reads),
                (took, writes),
                (took, outer & ~reads & ~writes),
                (took, communicates),
            )
        ):
            sums[i] += float(np.dot(what, which))

    def rows(self) -> tuple[RankRow, ...]:
        """By rank."""
        return tuple(
            RankRow(rank, int(s[0]), int(s[1]), int(s[2]), *(ns / 1e9 for ns in s[3:]))
            for rank, s in sorted(self._sums.items())
        )
