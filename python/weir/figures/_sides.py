"""Figures that set ways side by side: a panel for each direction."""

from __future__ import annotations

from collections.abc import Callable, Collection

from weir.figures._bar_chart import bar_chart
from weir.figures.drawing import Drawing, Panel
from weir.findings.finding import Finding
from weir.findings.option import label_by
from weir.findings.row import Row, directions, measured


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
        panels.append(Panel(f"{direction}s".capitalize(), bar_chart(part, others, series, found)))
    return Drawing(name, finding, tuple(panels))
