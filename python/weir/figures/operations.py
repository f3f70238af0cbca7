"""The rates of operations on files, side by side."""

from __future__ import annotations

from weir.figures._dot_chart import dot_chart
from weir.figures.drawing import Card, Drawing, Panel, figure
from weir.findings.operations import judge_operations, rates_of
from weir.findings.option import label_by
from weir.findings.row import Row, directions


@figure("operations")
def operations(rows: list[Row], card: Card) -> Drawing | None:
    """A line an operation, on a logarithmic scale where they lie far apart; a dot for each setting."""
    finding = judge_operations(rows, card)
    if finding is None:
        return None
    found = rates_of(rows)
    order = directions(found)
    ordered = sorted(found, key=lambda row: order.index(row.direction))
    spec = dot_chart(ordered, lambda row: row.phase, label_by(found, {"phase"}))
    return Drawing("operations", finding, (Panel("", spec),))
