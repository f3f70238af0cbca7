"""The phases that the program marked itself."""

import numpy as np

from weir.explain.nesting import Nest
from weir.explain.section import PageSection, PageTable, page_section
from weir.explain.summary import MarkRow, TraceSummary
from weir.trace.model import MARK, Trace
from weir.units import format_seconds


class MarkSums:
    """By name. A phase is the mark at its end, which lasts from its beginning on."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._ends = np.array([call.kind == MARK and call.name.endswith("_end") for call in trace.calls])
        self._times: dict[int, list[int]] = {}

    def add(self, nest: Nest) -> None:
        """Add a batch."""
        batch = nest.batch
        for at in np.flatnonzero(self._ends[batch.call]).tolist():
            self._times.setdefault(int(batch.file[at]), []).append(int(batch.took_ns[at]))

    def rows(self) -> tuple[MarkRow, ...]:
        """By time, the longest first."""
        rows = [
            MarkRow(self._trace.files[name].name, len(times), sum(times) / 1e9, max(times) / 1e9)
            for name, times in self._times.items()
        ]
        return tuple(sorted(rows, key=lambda row: -row.total_s))


@page_section(16)
def section(summary: TraceSummary) -> PageSection | None:
    """All names of marks."""
    if not summary.marks:
        return None
    rows = [
        [row.name, f"{row.times:,}", format_seconds(row.total_s), format_seconds(row.longest_s)]
        for row in summary.marks
    ]
    table = PageTable(("phase", ">times", ">total time", ">longest"), rows)
    words = f"Times are those of {summary.head.all} together."
    return PageSection("marks", "The program's own phases", words, table=table)
