"""What each rank did."""

import numpy as np
from numpy.typing import NDArray

from weir.explain.nesting import SYSTEM, Nest
from weir.explain.summary import RankRow
from weir.trace.batch import Batch
from weir.trace.kinds import COMMUNICATE, READ, TRANSFERS, WAIT, WRITE
from weir.trace.model import Trace


class RankTable:
    """Sums by rank."""

    def __init__(self, trace: Trace) -> None:
        self._reads = trace.calls_of(kind=READ)
        self._writes = trace.calls_of(kind=WRITE)
        self._system = np.array([c.interface in SYSTEM and c.kind in TRANSFERS for c in trace.calls])
        self._communicates = np.array([call.kind in (COMMUNICATE, WAIT) for call in trace.calls])
        self._ranks = sorted({lane.rank for lane in trace.lanes})
        self._rank = np.searchsorted(self._ranks, [lane.rank for lane in trace.lanes])
        self._sums = np.zeros((7, len(self._ranks)))

    def add(self, nest: Nest) -> None:
        """Add a batch."""
        batch = nest.batch
        call, took = batch.call, batch.took_ns
        moved = batch.moved
        outer = nest.outermost_io
        reads, writes = outer & self._reads[call], outer & self._writes[call]
        communicates = self._communicates[call] & ~nest.inside_io & ~nest.is_io
        some = self._rank[batch.lanes[0]], self._rank[batch.lanes[-1]] + 1
        for number, (what, which) in enumerate(
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
            self._sums[number, slice(*some)] += self._by_rank(batch, what, which, *some)

    def _by_rank(
        self, batch: Batch, what: NDArray[np.int64], which: NDArray[np.bool_], first: int, end: int
    ) -> NDArray[np.float64] | float:
        """The sum of each of these ranks; of one it is quicker so."""
        if end - first == 1:
            return float(np.dot(what, which))
        return np.bincount(self._rank[batch.lane] - first, what * which, end - first).astype(np.float64)

    def rows(self) -> tuple[RankRow, ...]:
        """By rank."""
        return tuple(
            RankRow(rank, int(s[0]), int(s[1]), int(s[2]), *(ns / 1e9 for ns in s[3:]))
            for rank, s in zip(self._ranks, self._sums.T.tolist(), strict=True)
        )
