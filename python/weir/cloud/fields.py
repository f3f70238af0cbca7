"""What a dump can show and under which name: a field's values, its range and its columns, a plane of it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.cloud.dump import PICTURED, SCALED, Dump
from weir.errors import WeirError
from weir.figures.image import Values

AXES = ("z", "y", "x")
"""In the order of the arrays' indices."""
_BLOCK_CELLS = 2**20

_ARRAY_OF = {"density": "rho", "pressure": "p", "potential": "phi"}
_FIELD_OF = {array: field for field, array in _ARRAY_OF.items()}

Where = tuple[int | slice, ...]
"""Which cells, as an index (z, y, x)."""


def values(dump: Dump, field: str, where: Where) -> Values:
    """The values of some cells of an array of the dump, or of a field of PICTURED, in double precision.
    Values of visualisation files are scaled, 0 to 255.
    """
    if dump.kind == "visualisation":
        return _double(dump.arrays[SCALED][where])
    if field == "speed":
        u, v, w = (_double(dump.arrays[name][where]) for name in ("u", "v", "w"))
        return np.sqrt(u * u + v * v + w * w)
    return _double(dump.arrays[_ARRAY_OF.get(field, field)][where])


def field_of(dump: Dump, wanted: str | None) -> str:
    """The field to draw: the one that is wanted, by its name or its array's, else the only one that the file
    has, else the density. Raises WeirError for an unknown one, for another than the file's, and where
    the file's is not known.
    """
    wanted = _FIELD_OF.get(wanted or "", wanted)
    if wanted is not None and wanted not in PICTURED:
        raise WeirError(f"there is no variable '{wanted}'", "", f"use one of {', '.join(PICTURED)}")
    if dump.kind == "state":
        return wanted or "density"
    own = next((field for field in PICTURED if dump.path.name.startswith(field)), None)
    if own is None and wanted is None:
        raise WeirError(
            f"cannot tell which field '{dump.path}' holds",
            "it is a visualisation file whose name does not begin with the field",
            f"say it with --variable: {', '.join(PICTURED)}",
        )
    if own is not None and wanted not in (None, own):
        raise WeirError(
            f"'{dump.path}' holds no {wanted}",
            f"it is a visualisation file of the {own}",
            f"take {wanted}-{dump.header.step:06d}, or a data-analysis file",
        )
    return own or str(wanted)


def _double(array: NDArray[Any]) -> Values:
    return np.asarray(array, np.float64)


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


def slice_of(dump: Dump, field: str, along: str, at: int) -> Values:
    """The field in the plane of cell `at`, from 0, across an axis; rows as those of Survey.columns."""
    where: Where = tuple(at if axis == along else slice(None) for axis in AXES)
    return values(dump, field, where)


def check_plane(dump: Dump, along: str, at: int) -> int:
    """That cell. Raises WeirError if the box has none of that number along the axis."""
    cells = dump.header.cells["xyz".index(along)]
    if not 0 <= at < cells:
        raise WeirError(
            f"there is no cell {at} along {along}", f"there are {cells} cells", f"use 0 to {cells - 1}"
        )
    return at
