"""A panel of curves over rank counts."""

from collections.abc import Callable, Sequence

from weir.figures.charts import Along, line_chart
from weir.figures.encoding import ranks_axis
from weir.figures.figure import Spec
from weir.results.row import Row
from weir.results.words import label_by


def panel_over_ranks(rows: Sequence[Row], name_of_phase: Callable[[str], str]) -> Spec:
    """A curve for each phase, and for each case that differs in more than its ranks."""
    found = list(rows)
    others = label_by(found, {"phase", "ranks"})

    def name(row: Row) -> str:
        return ", ".join(filter(None, [name_of_phase(row.phase), others(row)]))

    axis = ranks_axis(sorted({row.ranks for row in found}))
    return line_chart(found, Along(axis, lambda row: float(row.ranks), name))
