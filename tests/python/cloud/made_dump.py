"""Dumps with known fields."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
ORDER = ("rho", "u", "v", "w", "p", "phi")
STEP, TIME, GAMMA = 5, 0.25, 1.5


def header(cells: tuple[int, ...], order: str = "<") -> bytes:
    return np.array([*cells, STEP, TIME, GAMMA], f"{order}f4").tobytes()


def write_state(path: Path, fields: dict[str, Array], order: str = "<") -> Path:
    """A data-analysis file of fields indexed (x, y, z); those that are missing are 1."""
    shape = next(iter(fields.values())).shape
    whole = [fields.get(name, np.ones(shape)) for name in ORDER]
    arrays = b"".join(field.astype(f"{order}f4").tobytes(order="F") for field in whole)
    path.write_bytes(header(shape, order) + arrays)
    return path


def write_scaled(path: Path, field: NDArray[np.uint8], order: str = "<") -> Path:
    """A visualisation file of a field indexed (x, y, z)."""
    path.write_bytes(header(field.shape, order) + field.tobytes(order="F"))
    return path


def centres(*cells: int) -> tuple[Array, Array, Array]:
    """Coordinates of the cells' centres, where the box has length 1 along x."""
    axes = [(np.arange(count) + 0.5) / cells[0] for count in cells]
    x, y, z = np.meshgrid(*axes, indexing="ij")
    return x, y, z


def sphere(*cells: int, density: Callable[[Array], Array] = lambda r: 1 / (0.01 + r**2)) -> dict[str, Array]:
    """Gas that falls towards the middle of the box."""
    x, y, z = centres(*cells)
    dx, dy, dz = x - 0.5, y - 0.5 * cells[1] / cells[0], z - 0.5 * cells[2] / cells[0]
    rho = density(np.sqrt(dx * dx + dy * dy + dz * dz))
    return {"rho": rho, "u": -dx, "v": -dy, "w": -dz, "p": 0.01 * rho, "phi": -rho}
