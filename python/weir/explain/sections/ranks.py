"""What each rank did."""

import numpy as np
from numpy.typing import NDArray

from weir.explain.nesting import SYSTEM, Nest
from weir.explain.profile.tally import Tally
from weir.explain.section import PageSection, PageTable, page_section
from weir.explain.summary import Head, RankCalls, RankRow, TraceSummary
from weir.trace.batch import Batch
from weir.trace.model import COMMUNICATE, READ, TRANSFERS, WAIT, WRITE, Trace
from weir.units import format_bytes, format_seconds


class RankSums:
    """By rank."""

    def __init__(self, trace: Trace) -> None:
        self._reads = trace.calls_of(kind=READ)
        self._writes = trace.calls_of(kind=WRITE)
        self._system = np.array([c.interface in SYSTEM and c.kind in TRANSFERS for c in trace.calls])
        self._communicates = np.array([call.kind in (COMMUNICATE, WAIT) for call in trace.calls])
        self._ranks = sorted({lane.rank for lane in trace.lanes})
        self._rank = np.searchsorted(self._ranks, [lane.rank for lane in trace.lanes])
        self._sums = np.zeros((7, len(self._ranks)))
        self._trace = trace
        self._took, self._counts = Tally(), Tally()

    def add(self, nest: Nest) -> None:
        """Add a batch."""
        batch = nest.batch
        call, took = batch.call, batch.took_ns
        moved = batch.moved
        outer = nest.outermost_io
        reads, writes = outer & self._reads[call], outer & self._writes[call]
        key = self._rank[batch.lane[outer]] * len(self._trace.calls) + call[outer]
        self._took.add(key, batch.took_ns[outer])
        self._counts.add(key, batch.counted[outer].astype(np.int64))
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

    def slowest_did(self) -> tuple[RankCalls, ...]:
        """Of the rank that is longest in I/O calls, by function; () where there are no other ranks."""
        others = max(self._trace.ranks, len(self._ranks)) - 1
        if others < 1 or not self._ranks:
            return ()
        slowest = int(self._sums[3:6].sum(axis=0).argmax())
        sums: dict[str, list[float]] = {}
        (keys, took), (_, counts) = self._took.sums(), self._counts.sums()
        for key, ns, count in zip(keys.tolist(), took.tolist(), counts.tolist(), strict=True):
            rank, call = divmod(key, len(self._trace.calls))
            found = sums.setdefault(self._trace.calls[call].name, [0, 0.0, 0, 0.0])
            at = 0 if rank == slowest else 2
            found[at] += count
            found[at + 1] += ns / 1e9
        rows = [
            RankCalls(name, int(one[0]), one[1], one[2] / others, one[3] / others)
            for name, one in sums.items()
        ]
        rows.sort(key=lambda row: row.others_s - row.seconds)
        return tuple(rows[:MOST_CALLS])


HEADINGS = ">read, >written, >moved by itself, >reading, >writing, >other I/O, >all I/O, >communication"
MOST = 32
MOST_CALLS = 5


@page_section(50)
def section(summary: TraceSummary) -> PageSection | None:
    """All ranks; of many, those that were longest in I/O calls."""
    if not summary.ranks:
        return None
    shown = sorted(summary.ranks, key=lambda row: row.io_s, reverse=True)[:MOST]
    left = len(summary.ranks) - len(shown)
    if not left:
        shown = list(summary.ranks)
    return PageSection(
        "ranks",
        "Ranks" if summary.head.ranked else "Processes",
        f"Only calls that the program itself made are counted; what a {summary.head.one} moved by itself is "
        "what its system calls moved, also on behalf of others.",
        table=PageTable(
            f">{summary.head.one}, {HEADINGS}".split(", "),
            [_cells(row) for row in shown],
            _left(left, summary.head) if left else "",
        ),
    )


def _left(left: int, head: Head) -> str:
    others = f"other {head.one} was" if left == 1 else f"other {left:,} {head.who.split(' ')[1]} were"
    return f"The {others} for less time in I/O calls; `weir explain --json` prints all."


def _cells(row: RankRow) -> list[str]:
    return [
        f"{row.rank}",
        format_bytes(row.bytes_read) if row.bytes_read else "",
        format_bytes(row.bytes_written) if row.bytes_written else "",
        format_bytes(row.system_bytes) if row.system_bytes else "",
        format_seconds(row.read_s),
        format_seconds(row.write_s),
        format_seconds(row.other_s),
        format_seconds(row.io_s),
        format_seconds(row.communication_s),
    ]
