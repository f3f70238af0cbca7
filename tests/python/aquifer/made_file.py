"""Files as PFLOTRAN writes them on a structured grid, with known fields."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

Edges = tuple[NDArray[np.float64], ...]
PRESSURE, SATURATION, TRACER = "Liquid_Pressure [Pa]", "Liquid_Saturation", "Total_Tracer [M]"
VELOCITIES = tuple(f"Liquid {axis}-Velocity [m_per_d]" for axis in "XYZ")
WATER_TABLE = 0.7
"""Of the height."""
GRAVITY_PA_PER_M = 9810.0


def even(cells: tuple[int, ...], lengths: tuple[float, ...] = (100.0, 60.0, 20.0)) -> Edges:
    """The edges of cells of one size."""
    return tuple(np.linspace(0, length, count + 1) for count, length in zip(cells, lengths, strict=True))


def group_name(time: float, unit: str = "d") -> str:
    """By Fortran's format ('Time:',es13.5,1x,a1)."""
    return f"Time:{time:13.5E} {unit}"


@dataclass(frozen=True)
class Recipe:
    """cells: along x, y and z. with_velocity: as a running code writes it on request."""

    cells: tuple[int, int, int] = (7, 5, 4)
    times: tuple[float, ...] = (0.0, 1.5)
    unit: str = "d"
    with_velocity: bool = True
    edges: Edges | None = None
    species: int = 1

    def edges_of_cells(self) -> Edges:
        return self.edges or even(self.cells)


def fields(edges: Edges, time: float) -> dict[str, NDArray[Any]]:
    """Of shape (nx, ny, nz): a water table that falls along x, a plume that drifts with the flow around a
    block of another material."""
    x, y, z = np.meshgrid(*((one[1:] + one[:-1]) / 2 for one in edges), indexing="ij")
    (x0, x1), (y0, y1), (z0, z1) = ((one[0], one[-1]) for one in edges)
    along, across, up = (x - x0) / (x1 - x0), (y - y0) / (y1 - y0), (z - z0) / (z1 - z0)
    table = z0 + (z1 - z0) * (WATER_TABLE - 0.15 * along)
    head = table - z
    middle = 0.25 + 0.1 * time
    plume = np.exp(-(((along - middle) / 0.12) ** 2 + ((across - 0.5) / 0.2) ** 2 + ((up - 0.45) / 0.2) ** 2))
    hill = ((along - 0.6) / 0.15) ** 2 + ((up - 0.4) / 0.25) ** 2
    return {
        PRESSURE: 101325.0 + GRAVITY_PA_PER_M * head,
        SATURATION: np.clip(1 + head / (z1 - z0), 0.2, 1.0),
        TRACER: plume * 1e-3,
        "Material_ID": (1 + (hill < 1) + 2 * (up > 0.8)).astype(np.int32),
        VELOCITIES[0]: 0.3 * (1 - 0.8 * np.exp(-hill)),
        VELOCITIES[1]: 0.1 * (across - 0.5),
        VELOCITIES[2]: 0.05 * (along - 0.6) * np.exp(-hill / 2) - 0.002,
    }


def write_file(path: Path, recipe: Recipe | None = None, times: Iterable[float] | None = None) -> Path:
    """A file with the coordinates and the times, in the order that they are given."""
    recipe = recipe or Recipe()
    edges = recipe.edges_of_cells()
    with h5py.File(path, "w", track_order=True) as file:
        for axis, one in zip("XYZ", edges, strict=True):
            file[f"Coordinates/{axis} [m]"] = one
        for time in recipe.times if times is None else times:
            group = file.create_group(group_name(time, recipe.unit))
            for name, values in fields(edges, time).items():
                if recipe.with_velocity or name not in VELOCITIES:
                    group[name] = values
            for number in range(2, recipe.species + 1):
                group[f"Total_Tracer_{number} [M]"] = fields(edges, time)[TRACER] / number
    return path
