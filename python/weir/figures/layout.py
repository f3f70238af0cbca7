"""One shared file against a file for each process."""

from __future__ import annotations

from weir.figures._sides import draw_sides
from weir.figures.drawing import Card, Drawing, figure
from weir.findings.against import judge_layout
from weir.findings.row import Row
from weir.findings.words import layout_words


@figure("layout")
def layout(rows: list[Row], card: Card) -> Drawing | None:
    """Bars side by side, a panel for writes and one for reads."""
    finding = judge_layout(rows, card)
    return draw_sides("layout", finding, rows, layout_words, {"layout"}) if finding else None
