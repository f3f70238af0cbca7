"""Medians along an axis: a panel for each metric, since an axis has one unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from weir.figures._data import name_curves
from weir.figures._line_chart import Along, Marker, line_chart
from weir.figures.drawing import Panel
from weir.findings.along_axis import Axis
from weir.findings.finding import capital
from weir.findings.row import Row, by_metric


def line_panels(
    rows: list[Row], axis: dict[str, Any], along: Axis, markers: Sequence[Marker] = ()
) -> tuple[Panel, ...]:
    """The panels of the rows that have a number; `axis` encodes the field "x" for all of them."""
    parts = by_metric(rows)
    return tuple(
        Panel(
            capital(part[0].metric.noun) if len(parts) > 1 else "",
            line_chart(part, Along(axis, along.x, name_curves(part, along.option)), markers=markers),
        )
        for part in parts
    )
