"""Bandwidth against transfer size."""

from __future__ import annotations

from weir.figures._axes import size_axis
from weir.figures._data import label_by
from weir.figures._line_chart import line_chart
from weir.figures.drawing import Card, Drawing, Panel, figure
from weir.findings.along_axis import TRANSFER, judge_transfer
from weir.findings.row import Row, measured
from weir.findings.words import phase_words


@figure("transfer", order=10)
def transfer(rows: list[Row], card: Card) -> Drawing | None:
    """Writes and reads in one panel, over transfer sizes on a logarithmic axis."""
    finding = judge_transfer(rows, card)
    if finding is None:
        return None
    found = measured(rows)
    others = label_by(found, {"transfer"})
    axis = size_axis("x", "transfer size", sorted({int(TRANSFER.x(row)) for row in found}))
    spec = line_chart(found, axis, TRANSFER.x, lambda row: ", ".join(filter(None, [phase_words(row), others(row)])))
    return Drawing("transfer", finding, (Panel("", spec),))
