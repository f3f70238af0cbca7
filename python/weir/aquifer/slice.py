"""A plane of cells through a file, and how many pixels show it: each has the value of the cell that it lies
in, and nothing is smoothed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weir.aquifer.file import AquiferFile, Output
from weir.aquifer.names import AXES, Quantity
from weir.errors import WeirError
from weir.figures.image import Values
from weir.figures.panel import MOST_CELLS

LEAST_LAYERS = 4
"""With so many or more, the slice is vertical unless another is asked for."""
LEAST_ASPECT = 1 / 4
"""Of a panel's short side to its long one: a flatter plane is stretched."""
_ROUNDING = 1e-6


@dataclass(frozen=True)
class Plane:
    """One layer of cells across an axis. at: the place, in metres; cell: the layer there, from 0; ends: of
    that layer along the axis."""

    axis: str
    at: float
    cell: int
    ends: tuple[float, float]

    @property
    def right(self) -> str:
        """The axis that goes to the right."""
        return "y" if self.axis == "x" else "x"

    @property
    def up(self) -> str:
        """The axis that goes upwards."""
        return "y" if self.axis == "z" else "z"


def plane_in(file: AquiferFile, axis: str | None, at: float | None, cell: int | None) -> Plane:
    """The plane at that place or of that cell, without both through the middle. Without an axis it is
    vertical, or horizontal where there are few layers. Raises WeirError where there is none."""
    axis = axis or _axis(file)
    if axis not in tuple(AXES):
        raise WeirError(f"there is no axis '{axis}'", "", "use x, y or z")
    edges = file.edges[AXES.index(axis)]
    low, high, last = float(edges[0]), float(edges[-1]), len(edges) - 2
    if cell is not None:
        if not 0 <= cell <= last:
            raise WeirError(
                f"there is no cell {cell} along {axis}",
                f"they are 0 to {last}",
                f"use --cell {(last + 1) // 2}",
            )
        at = float(edges[cell] + edges[cell + 1]) / 2
    place = (low + high) / 2 if at is None else at
    if not low <= place <= high:
        raise WeirError(
            f"there is no {axis} = {place:g} m",
            f"the domain reaches from {low:g} to {high:g} m",
            f"use a place in it, for example --at {(low + high) / 2:g}",
        )
    layer = min(int(np.searchsorted(edges, place, "right")) - 1, last)
    return Plane(axis, place, layer, (float(edges[layer]), float(edges[layer + 1])))


def _axis(file: AquiferFile) -> str:
    x, y, z = file.cells
    if z < LEAST_LAYERS and x * y > 1:
        return "z"
    return "x" if x == 1 < y else "y"


def layer_of(output: Output, quantity: Quantity, plane: Plane) -> Values:
    """The values in the plane, rows upwards, columns to the right; not a number where the file has none."""
    where: list[int | slice] = [slice(None)] * 3
    where[AXES.index(plane.axis)] = plane.cell
    values = np.asarray(output.data(quantity)[tuple(where)], np.float64).T
    return np.where(np.isfinite(values), values, np.nan)


@dataclass(frozen=True)
class Raster:
    """Which cell each column and row of an image shows, and how many pixels of the picture each is to the
    right and upwards. stretch: how many times larger lengths upwards are drawn than those to the right.
    thinned: there are cells that no pixel shows."""

    columns: NDArray[np.int64]
    rows: NDArray[np.int64]
    pixels: tuple[int, int]
    stretch: float
    thinned: bool

    def image(self, layer: Values) -> Values:
        """The layer's values at the pixels."""
        return np.asarray(layer[np.ix_(self.rows, self.columns)])


def raster_of(file: AquiferFile, plane: Plane, long_side: int) -> Raster:
    """The image whose sides are in proportion to the domain's, stretched to be readable where the plane is
    very flat; about `long_side` pixels along its long one."""
    right, up = (file.edges[AXES.index(axis)] for axis in (plane.right, plane.up))
    ratio = _length(up) / _length(right)
    wanted = _stretch(ratio)
    width, height = (round(long_side * min(1, share)) for share in (1 / (ratio * wanted), ratio * wanted))
    columns, rows = _samples(right, width), _samples(up, height)
    pixels = _pixels(len(columns), len(rows), ratio * wanted, long_side)
    shown = pixels[1] * len(rows) / (pixels[0] * len(columns))
    thinned = any(len(np.unique(cells)) < len(edges) - 1 for cells, edges in ((columns, right), (rows, up)))
    return Raster(columns, rows, pixels, shown / ratio, thinned)


def _length(edges: NDArray[np.float64]) -> float:
    return float(edges[-1] - edges[0])


def _stretch(ratio: float) -> float:
    """A plain number by which to multiply a ratio of sides, so that it is readable; 1 where it is already."""
    if ratio > 1:
        return 1 / _stretch(1 / ratio)
    least = LEAST_ASPECT / ratio
    if least <= 1:
        return 1.0
    decade = 10.0 ** np.floor(np.log10(least))
    return float(next(step * decade for step in (1, 2, 5, 10) if step * decade >= least * (1 - _ROUNDING)))


def _samples(edges: NDArray[np.float64], pixels: int) -> NDArray[np.int64]:
    """The cells that are shown: each once where all have the same size; else those at that many places."""
    count = len(edges) - 1
    even = np.abs(np.diff(edges) - _length(edges) / count).max() <= _ROUNDING * _length(edges)
    if even:
        kept = -(-count // -(-count // MOST_CELLS))
        return np.asarray((2 * np.arange(kept) + 1) * count // (2 * kept), np.int64)
    places = edges[0] + (np.arange(pixels) + 0.5) / pixels * _length(edges)
    return np.asarray(np.clip(np.searchsorted(edges, places, "right") - 1, 0, count - 1), np.int64)


def _pixels(columns: int, rows: int, ratio: float, long_side: int) -> tuple[int, int]:
    """Of a column and a row, in whole numbers: those not much smaller than wanted that come nearest to the
    ratio of the sides."""
    across = min(long_side, long_side / ratio)
    most = max(1, round(across / columns))
    choices = [
        (each, max(1, round(each * columns * ratio / rows)))
        for each in range(max(1, most * 2 // 3), most + 1)
    ]
    return min(reversed(choices), key=lambda one: abs(np.log(one[1] * rows / (one[0] * columns) / ratio)))
