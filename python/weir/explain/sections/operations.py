"""What each function was called how often, and how long it took: table 1 of Thakur et al. (1996)."""

import numpy as np

from weir.explain.nesting import Nest
from weir.explain.section import PageSection, PageTable, page_section
from weir.explain.summary import OperationRow, TraceSummary
from weir.trace.model import (
    COMMUNICATE,
    TRANSFERS,
    WRITE,
    Trace,
)
from weir.units import format_bytes, format_seconds, format_share


class OperationSums:
    """By function; calls inside I/O calls separate from the others."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._calls = len(trace.calls)
        self._moves = np.array([call.kind in TRANSFERS for call in trace.calls])
        self._sends = np.array([call.kind == COMMUNICATE for call in trace.calls])
        self._sums = np.zeros((5, 2 * self._calls))
        writes = {
            (call.interface, call.name): at for at, call in enumerate(trace.calls) if call.kind == WRITE
        }
        self._whole = np.array(
            [writes.get((call.interface, call.name), at) for at, call in enumerate(trace.calls)], np.int64
        )

    def add(self, nest: Nest) -> None:
        """Add a batch."""
        batch = nest.batch
        # Of two halves the second is the call; the first gives it its time.
        counted = batch.counted
        call = batch.call if counted.all() else np.where(counted, batch.call, self._whole[batch.call])
        key = call if nest.flat else call + self._calls * nest.inside_io
        moved = batch.moved * (self._moves[batch.call] & counted)
        if self._sends.any():
            moved = moved + batch.length.view(np.int64) * self._sends[batch.call]
        failed = batch.failed & counted
        for column, weights in enumerate((counted, failed, batch.took_ns, nest.own_ns, moved)):
            self._sums[column] += np.bincount(key, weights, self._sums.shape[1])

    def rows(self) -> tuple[OperationRow, ...]:
        """By time, the longest first."""
        rows = []
        for key in np.flatnonzero(self._sums[0]).tolist():
            call = self._trace.calls[key % self._calls]
            count, failed, took_ns, own_ns, moved = self._sums[:, key].tolist()
            rows.append(
                OperationRow(
                    interface=call.interface,
                    name=call.name,
                    kind=call.kind,
                    for_io=key >= self._calls,
                    count=int(count),
                    failed=int(failed),
                    total_s=took_ns / 1e9,
                    own_s=own_ns / 1e9,
                    per_rank_s=took_ns / 1e9 / max(1, self._trace.ranks),
                    bytes=int(moved),
                )
            )
        return tuple(sorted(rows, key=lambda row: -row.total_s))


@page_section(20)
def section(summary: TraceSummary) -> PageSection | None:
    """All functions, those of the longest time first."""
    if not summary.operations:
        return None
    whole = summary.head.whole_s
    words = (
        f"Times are those of {summary.head.all} together. Calls that a library made inside its own I/O calls "
        "are marked “for I/O”; their time is included in that of the calls around them, but not in "
        "their own time."
    )
    headings = "interface, operation, call, >count, >failed, >total time, >own time, >mean per "
    headings += f"{summary.head.one}, >share of run, >moved"
    table = PageTable(headings.split(", "), [_cells(row, whole) for row in summary.operations])
    return PageSection("operations", "Operations", words, table=table)


def _cells(row: OperationRow, whole: float) -> list[str]:
    return [
        row.interface,
        f"{row.kind} (for I/O)" if row.for_io else row.kind,
        row.name,
        f"{row.count:,}",
        f"{row.failed:,}" if row.failed else "",
        format_seconds(row.total_s),
        "" if row.own_s is None or row.own_s == row.total_s else format_seconds(row.own_s),
        format_seconds(row.per_rank_s),
        format_share(row.total_s / whole) if whole > 0 else "",
        format_bytes(row.bytes) if row.bytes else "",
    ]
