"""Bandwidth against transfer size."""

from __future__ import annotations

from weir.figures._axes import size_axis
from weir.figures._line_panels import line_panels
from weir.figures.drawing import Card, Drawing, figure
from weir.findings.along_axis import TRANSFER, judge_transfer
from weir.findings.row import Row, measured


@figure("transfer")
def transfer(rows: list[Row], card: Card) -> Drawing | None:
    """Writes and reads in one panel, over transfer sizes on a logarithmic axis."""
    finding = judge_transfer(rows, card)
    if finding is None:
        return None
    axis = size_axis("x", "transfer size", sorted({int(TRANSFER.x(row)) for row in measured(rows)}))
    return Drawing("transfer", finding, line_panels(rows, axis, TRANSFER))
