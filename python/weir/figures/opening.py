"""One common file opened by more and more ranks, each by itself or together."""

from __future__ import annotations

from weir.figures._axes import ranks_axis
from weir.figures._line_chart import Along, line_chart
from weir.figures.drawing import Card, Drawing, Panel, figure
from weir.findings.along_axis import RANKS
from weir.findings.opening import judge_opening, openings
from weir.findings.row import Row
from weir.findings.words import opening_words


@figure("opening")
def opening(rows: list[Row], card: Card) -> Drawing | None:
    """Opens a second of all ranks together, over rank counts, a curve a way of opening."""
    found = openings(rows)
    finding = judge_opening(found, card)
    if finding is None:
        return None
    axis = ranks_axis("x", sorted({row.ranks for row in found}))
    spec = line_chart(found, Along(axis, RANKS.x, opening_words))
    return Drawing("opening", finding, (Panel("", spec),))
