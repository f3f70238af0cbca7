"""Medians along an axis: a panel for each metric, since an axis has one unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from weir.figures._data import name_curves
from weir.figures._few import MOST
from weir.figures._line_chart import Along, Marker, line_chart
from weir.figures.drawing import Panel
from weir.findings.along_axis import Axis
from weir.findings.finding import capital
from weir.findings.row import Row, by_metric, directions
from weir.findings.words import plural_words


def line_panels(
    rows: list[Row], axis: dict[str, Any], along: Axis, markers: Sequence[Marker] = ()
) -> tuple[Panel, ...]:
    """The panels of the rows that have a number; `axis` encodes the field "x" for all of them."""
    parts = by_metric(rows)
    panels = []
    for part in parts:
        series = name_curves(part, along.option)
        title = capital(part[0].metric.noun) if len(parts) > 1 else ""
        for name, some in _apart(part, len({series(row) for row in part}), title):
            panels.append(Panel(name, line_chart(some, Along(axis, along.x, series), markers=markers)))
    return tuple(panels)


def _apart(rows: list[Row], curves: int, title: str) -> list[tuple[str, list[Row]]]:
    """All in one panel, or one for each direction where colours would repeat."""
    ways = directions(rows)
    if curves <= MOST or len(ways) < 2:
        return [(title, rows)]
    of = {way: [row for row in rows if row.direction == way] for way in ways}
    return [(capital(plural_words(some[0])), some) for some in of.values()]
