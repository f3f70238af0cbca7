"""The phases that the program marked itself."""

import numpy as np

from weir.explain.nesting import Nest
from weir.explain.summary import MarkRow
from weir.trace.kinds import MARK
from weir.trace.model import Trace


class MarkTable:
    """Sums by name. A phase is told by the mark at its end, which lasts from its beginning on."""

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
