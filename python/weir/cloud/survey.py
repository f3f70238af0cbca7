"""A field looked at once, from one end of the file to the other: its range, its mean, its columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from weir.cloud.dump import Dump
from weir.cloud.fields import Values, values
from weir.errors import WeirError

AXES = ("z", "y", "x")
"""In the order of the arrays' indices."""
_BLOCK_CELLS = 2**20


@dataclass(frozen=True)
class Survey:
    """along: the axis of the columns and planes.
    columns: sums over the cells along it; rows are those of the next axes in the order z, y, x.
    lowest, highest: the range of each plane across it.
    """

    along: str
    mean: float
    columns: Values
    lowest: Values
    highest: Values

    @property
    def least(self) -> float:
        """The smallest value."""
        return float(self.lowest.min())

    @property
    def most(self) -> float:
        """The largest value."""
        return float(self.highest.max())

    def plane_of_most(self) -> int:
        """The plane with the largest value; of several the one in the middle."""
        return _middle(self.highest == self.most)

    def plane_of_least(self) -> int:
        """The plane with the smallest value; of several the one in the middle."""
        return _middle(self.lowest == self.least)


def survey(dump: Dump, field: str, along: str = "z") -> Survey:
    """Read the field in blocks of planes, as it lies in the file. Raises WeirError for a cell that is no
    finite number.
    """
    axis = AXES.index(along)
    x, y, z = dump.header.cells
    shape = (z, y, x)
    columns = np.zeros(shape[:axis] + shape[axis + 1 :])
    lowest, highest = np.full(shape[axis], np.inf), np.full(shape[axis], -np.inf)
    others = tuple({0, 1, 2} - {axis})
    planes = max(1, _BLOCK_CELLS // (x * y))
    for start in range(0, z, planes):
        part = slice(start, min(start + planes, z))
        block = values(dump, field, (part,))
        _check(dump, field, block, start)
        columns[... if axis == 0 else part] += block.sum(axis)
        across = part if axis == 0 else ...
        lowest[across] = np.minimum(lowest[across], block.min(others))
        highest[across] = np.maximum(highest[across], block.max(others))
    return Survey(along, float(columns.sum()) / dump.header.all_cells, columns, lowest, highest)


def _check(dump: Dump, field: str, block: Values, first_plane: int) -> None:
    sound = np.isfinite(block)
    if sound.all():
        return
    k, j, i = np.unravel_index(np.argmin(sound), block.shape)
    raise WeirError(
        f"'{dump.path}' holds no sound state",
        f"{field} is {block[k, j, i]} in cell ({i}, {j}, {first_plane + k})",
        "take an earlier dump",
    )


def _middle(chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> int:
    places = np.flatnonzero(chosen)
    return int(places[(len(places) - 1) // 2])
