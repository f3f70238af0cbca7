"""The implementations of MPI-IO against each other."""

from __future__ import annotations

from weir.figures._sides import draw_sides
from weir.figures.drawing import Card, Drawing, figure
from weir.findings.mpi_io import IGNORED, judge_mpi_io
from weir.findings.row import Row
from weir.findings.words import mpi_io_words


@figure("mpi-io")
def mpi_io(rows: list[Row], card: Card) -> Drawing | None:
    """Bars side by side, a panel for writes and one for reads; the counts behind them are in the words."""
    finding = judge_mpi_io(rows, card)
    return draw_sides("mpi-io", finding, rows, mpi_io_words, IGNORED) if finding else None
