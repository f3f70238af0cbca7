"""Figures that set ways side by side: a panel for each direction."""

from __future__ import annotations

from collections.abc import Callable, Collection

from weir.figures._bar_chart import bar_chart
from weir.figures.drawing import Drawing, Panel
from weir.findings.finding import Finding, capital
from weir.findings.option import label_by
from weir.findings.row import Row, directions, measured
from weir.findings.words import plural_words


def draw_sides(
    name: str, finding: Finding, rows: list[Row], series: Callable[[Row], str], ignoring: Collection[str]
) -> Drawing:
    """Bars named by `series`, grouped by whatever else varies; `ignoring` are the options that make the
    series.
    """
    found = sorted(measured(rows), key=lambda row: (row.options.get("transfer") or 0, row.ranks))
    others = label_by(found, ignoring)
    panels = []
    for direction in directions(found):
        part = [row for row in found if row.direction == direction]
        same = [row for row in found if row.metric == part[0].metric]
        panels.append(Panel(capital(plural_words(part[0])), bar_chart(part, others, series, same)))
    return Drawing(name, finding, tuple(panels))
