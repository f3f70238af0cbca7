"""How an application's arrays get into its files."""

from __future__ import annotations

from weir.figures._sides import draw_sides
from weir.figures.drawing import Card, Drawing, figure
from weir.findings.method import by_method, judge_method
from weir.findings.row import Row
from weir.findings.words import method_words


@figure("method")
def method(rows: list[Row], card: Card) -> Drawing | None:
    """Bars side by side, a panel for writes and one for reads."""
    finding = judge_method(rows, card)
    return draw_sides("method", finding, by_method(rows), method_words, {"method"}) if finding else None
