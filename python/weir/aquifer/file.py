"""A file of PFLOTRAN on a structured grid: the edges of its cells, its output times, and what is stored of
each.

Format: PFLOTRAN, output_hdf5.F90: a group `Coordinates` with the edges along each axis, and a group for each
time with datasets of shape (nx, ny, nz).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import h5py
import numpy as np
from numpy.typing import NDArray

from weir.aquifer.names import AXES, Quantity, Time
from weir.errors import WeirError, did_you_mean
from weir.files.hdf5 import Datasets, Format, opened

PFLOTRAN = Format(
    "file of PFLOTRAN on a structured grid",
    "name a file that PFLOTRAN, on a structured grid, or `weir-core aquifer` wrote",
)
COORDINATES = "Coordinates"
Triple = tuple[int, int, int]
Edges = tuple[NDArray[np.float64], ...]
"""Of the cells along x, y and z, in metres: n + 1 each, rising."""


@dataclass(frozen=True)
class AquiferFile:
    """An open file. times: at least one, in their order."""

    datasets: Datasets
    edges: Edges
    times: tuple[Time, ...]

    @property
    def path(self) -> Path:
        """The file's."""
        return self.datasets.path

    @cached_property
    def cells(self) -> Triple:
        """Along x, y and z."""
        x, y, z = (len(edges) - 1 for edges in self.edges)
        return x, y, z

    def output(self, time: Time) -> "Output":
        """What is stored of that time."""
        found = self.datasets.group(time.group)
        quantities = tuple(Quantity(name) for name in found.names() if self._is_field(found, name))
        return Output(self, time, found, quantities)

    def _is_field(self, datasets: Datasets, name: str) -> bool:
        """Does it have a number for each cell?"""
        found = datasets.root[name]
        return found.shape == self.cells and found.dtype.kind in "fiu"


@dataclass(frozen=True)
class Output:
    """One output time. quantities: those with a number for each cell, in the order of the alphabet."""

    file: AquiferFile
    time: Time
    datasets: Datasets
    quantities: tuple[Quantity, ...]

    def quantity(self, wanted: str) -> Quantity:
        """That of the name, which may lack the unit. Raises WeirError if there is none."""
        for one in self.quantities:
            if wanted in (one.stored, one.name):
                return one
        names = [one.name for one in self.quantities]
        raise WeirError(
            f"'{self.file.path}' has no variable '{wanted}' at {self.time}",
            f"it has {', '.join(names)}" if names else "it has none",
            did_you_mean(wanted, names),
        )

    def check_fields(self) -> None:
        """Raises WeirError if there are none."""
        if not self.quantities:
            raise WeirError(
                f"'{self.file.path}' has nothing to show at {self.time}",
                f"no dataset has a number for each of its {' x '.join(map(str, self.file.cells))} cells",
                "take another time, or another file",
            )

    def data(self, quantity: Quantity) -> h5py.Dataset:
        """Of shape (nx, ny, nz). Raises WeirError if it cannot be read in bounds."""
        return self.datasets.find(quantity.stored)


@contextmanager
def open_aquifer(path: Path) -> Iterator[AquiferFile]:
    """The file, open until the end of the block. Raises WeirError where it is not one of those that can be
    read, and inside the block where what is read is damaged."""
    with opened(path, PFLOTRAN) as datasets:
        found = [time for time in map(Time.of, datasets.groups()) if time]
        if COORDINATES not in datasets.groups() or not found:
            lacking = "output times" if COORDINATES in datasets.groups() else f"group '{COORDINATES}'"
            raise WeirError(
                f"'{path}' is no {PFLOTRAN.noun}",
                f"it has no {lacking}",
                PFLOTRAN.advice,
            )
        yield AquiferFile(datasets, _edges(datasets), _in_order(found, path))


def _edges(datasets: Datasets) -> Edges:
    inside = datasets.group(COORDINATES)
    return tuple(_edges_along(inside, f"{axis.upper()} [m]") for axis in AXES)


def _edges_along(datasets: Datasets, name: str) -> NDArray[np.float64]:
    count = datasets.find(name).size
    edges = datasets.read(name, (count,), np.float64)
    if count < 2 or not np.isfinite(edges).all() or not (np.diff(edges) > 0).all():
        raise datasets.damaged(f"'{name}' holds no rising edges of cells")
    return np.asarray(edges)


def in_seconds(times: list[Time]) -> bool:
    """Are they in different units, which are all known? Raises ValueError where one of several is not."""
    units = {time.unit for time in times}
    unknown = sorted(units - {time.unit for time in times if time.seconds is not None})
    if len(units) > 1 and unknown:
        raise ValueError(f"its times are in several units, and '{unknown[0]}' is not known")
    return len(units) > 1


def _in_order(times: list[Time], path: Path) -> tuple[Time, ...]:
    try:
        several = in_seconds(times)
    except ValueError as error:
        raise WeirError(
            f"cannot order the times in '{path}'", str(error), "write it again with one unit of time"
        ) from error
    return tuple(sorted(times, key=lambda time: time.seconds or 0.0 if several else time.value))


def time_in(file: AquiferFile, value: float | None, step: int | None) -> tuple[int, Time]:
    """The number, from 0, of the output of that time in the file's unit, or of that number; without both the
    last. Raises WeirError if there is none."""
    last = len(file.times) - 1
    if step is not None:
        if not 0 <= step <= last:
            raise WeirError(
                f"'{file.path}' has no output {step}",
                f"there {'is one' if not last else f'are {last + 1}'}",
                f"use --step 0{f' to {last}' if last else ''}",
            )
        return step, file.times[step]
    if value is None:
        return last, file.times[last]
    for number, time in enumerate(file.times):
        # The names have six digits.
        if abs(time.value - value) <= 1e-5 * abs(time.value):
            return number, time
    nearest = min(file.times, key=lambda time: abs(time.value - value))
    raise WeirError(
        f"'{file.path}' has no output at the time {value:g}",
        f"{'it has' if not last else f'of its {last + 1}, the nearest is'} {nearest}",
        f"use --time {nearest.value:g}",
    )
