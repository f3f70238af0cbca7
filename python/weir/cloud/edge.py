"""Where the edge of the periodic box is drawn, so that it cuts no clump that it need not."""

from dataclasses import replace

import numpy as np

from weir.figures.image import Values
from weir.figures.panel import Panel

Start = tuple[int, int]
"""The row and the column of cells at which a picture begins."""


def start_of(columns: Values) -> Start:
    """Where to begin, given what is not to be cut, in columns along the line of sight."""
    return _start(columns, 0), _start(columns, 1)


def moved(panel: Panel, start: Start, cell_edge: float) -> Panel:
    """The same panel, begun there; the edge of a cell is in lengths of the box along x."""
    row, column = start
    return replace(
        panel,
        values=np.roll(panel.values, (-row, -column), (0, 1)),
        right=replace(panel.right, start=column * cell_edge, wraps=column != 0),
        up=replace(panel.up, start=row * cell_edge, wraps=row != 0),
    )


def _start(columns: Values, axis: int) -> int:
    """The edge as it is in the file, where it cuts through nothing above the mean; else the place where it
    cuts the least, of several the one in the middle. What it cuts is the largest value on both its sides."""
    cuts = np.minimum(columns, np.roll(columns, 1, axis)).max(1 - axis)
    if cuts[0] <= columns.mean():
        return 0
    least = np.flatnonzero(cuts == cuts.min())
    return int(least[(len(least) - 1) // 2])
