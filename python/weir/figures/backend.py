"""The interfaces side by side: POSIX, MPI-IO, HDF5, PnetCDF, independent and collective."""

from __future__ import annotations

from weir.figures._sides import draw_sides
from weir.figures.drawing import Card, Drawing, figure
from weir.findings.against import judge_backend
from weir.findings.row import Row
from weir.findings.words import way_words


@figure("backend")
def backend(rows: list[Row], card: Card) -> Drawing | None:
    """Bars side by side, a panel for writes and one for reads."""
    finding = judge_backend(rows, card)
    return draw_sides("backend", finding, rows, way_words, {"backend", "mpi_io"}) if finding else None
