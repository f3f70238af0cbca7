"""Bandwidth against the number of ranks."""

from __future__ import annotations

from weir.counts import count_words
from weir.figures._axes import ranks_axis
from weir.figures._line_chart import Marker
from weir.figures._line_panels import line_panels
from weir.figures.drawing import Card, Drawing, figure
from weir.findings.along_axis import RANKS, judge_ranks
from weir.findings.row import Row, measured


@figure("ranks")
def ranks(rows: list[Row], card: Card) -> Drawing | None:
    """All phases of a metric in one panel, over rank counts on a logarithmic axis; a line marks the number of
    cores.
    """
    finding = judge_ranks(rows, card)
    if finding is None:
        return None
    counts = sorted({row.ranks for row in measured(rows)})
    axis, markers = ranks_axis("x", counts), _cores(card, counts)
    return Drawing("ranks", finding, line_panels(rows, axis, RANKS, markers))


def _cores(card: Card, counts: list[int]) -> list[Marker]:
    cpu = card.get("cpu") or {}
    cores = cpu.get("usable") or cpu.get("threads")
    # The line lies a little right of the last rank count that still has a core for each rank, clear of its
    # point.
    return (
        [Marker(cores * 1.08, f"more ranks than the {count_words(cores, 'core')} →")]
        if cores and cores < counts[-1]
        else []
    )
