"""A file of FLASH (file format 9), or of FLASH-IO (as FLASH 2 wrote them): header, variables, tree.

Layouts: Flash-X, source/IO/IOMain/hdf5; FLASH-IO, M. Zingale's benchmark of 2001.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import h5py
import numpy as np
from numpy.typing import NDArray

from weir.errors import WeirError, did_you_mean
from weir.files.hdf5 import Datasets
from weir.flash.datasets import damaged, opened, records, text
from weir.flash.tree import Tree

Layout = Literal["version 9", "FLASH-IO"]
Kind = Literal["checkpoint", "plot", "corner plot"]
VERSION = 9
MOST_BLOCKS = 1 << 26
_AXES = 3
_ALL_IN_ONE = "unknowns"
"""The dataset of `weir-core flash-io --datasets one`."""

MEANINGS = {
    "dens": "density",
    "velx": "velocity along x",
    "vely": "velocity along y",
    "velz": "velocity along z",
    "pres": "pressure",
    "ener": "specific total energy",
    "eint": "specific internal energy",
    "temp": "temperature",
    "gamc": "adiabatic index gamma c",
    "game": "adiabatic index gamma e",
    "enuc": "nuclear energy rate",
    "gpot": "gravitational potential",
}


@dataclass(frozen=True)
class Header:
    """stated_cells: of a block along x, y and z. units: "" where the file does not say. dimensions: 1 to 3,
    the first of x, y and z. domain: its lower and upper ends along all three, by the run's parameters where
    the file has them."""

    layout: Layout
    time: float
    step: int
    blocks: int
    stated_cells: tuple[int, int, int]
    corners: bool
    units: str
    dimensions: int = 3
    domain: tuple[tuple[float, float], ...] | None = None


@dataclass(frozen=True)
class FlashFile:
    """An open file. cells: of a block along x, y and z; a corner plot has a value more along each."""

    datasets: Datasets
    header: Header
    variables: tuple[str, ...]
    cells: tuple[int, int, int]
    tree: Tree

    @property
    def path(self) -> Path:
        """The file's."""
        return self.datasets.path

    @property
    def kind(self) -> Kind:
        """By what it holds: at the corners, or in double precision."""
        if self.header.corners:
            return "corner plot"
        return "checkpoint" if self.data(self.variables[0]).dtype.itemsize == 8 else "plot"

    def data(self, variable: str) -> h5py.Dataset:
        """A variable's, of shape (blocks, z, y, x). Raises WeirError for an unknown one."""
        if variable not in self.variables:
            raise WeirError(
                f"'{self.path}' has no variable '{variable}'",
                f"it has {', '.join(self.variables)}",
                did_you_mean(variable, self.variables),
            )
        return self.datasets.find(_stored_name(self.datasets, variable))

    def blocks_of_ranks(self) -> NDArray[np.int64] | None:
        """How many blocks each rank had that wrote the file; null where it does not say."""
        if not self.datasets.has("processor number"):
            return None
        owners = self.datasets.read("processor number", (self.header.blocks,), np.int64)
        _, counts = np.unique(owners, return_counts=True)
        return np.asarray(counts, np.int64)


@contextmanager
def open_flash(path: Path) -> Iterator[FlashFile]:
    """The file, open until the end of the block; its tree is read now. Raises WeirError where it is not one
    of those that can be read, and inside the block where what is read is damaged."""
    with opened(path) as datasets:
        header = _header(datasets)
        if not 1 <= header.dimensions <= _AXES:
            raise damaged(path, f"it is said to be of {header.dimensions:,} dimensions")
        if not 1 <= header.blocks <= MOST_BLOCKS:
            raise damaged(path, f"it is said to have {header.blocks:,} blocks")
        variables = _variables(datasets)
        cells, corners = _cells(datasets, header, variables)
        header = replace(header, corners=corners)
        yield FlashFile(datasets, header, variables, cells, _tree(datasets, header))


def _header(datasets: Datasets) -> Header:
    if datasets.has("simulation parameters"):
        return _header_of_flash_io(datasets)
    if datasets.has("sim info"):
        version = int(np.atleast_1d(datasets.find("sim info")[()])[0]["file format version"])
    elif datasets.has("file format version"):
        version = int(np.atleast_1d(datasets.find("file format version")[()])[0])
    else:
        raise WeirError(
            f"'{datasets.path}' is no file of FLASH",
            "it has neither 'sim info' nor 'simulation parameters'",
            "name a file that FLASH, FLASH-IO or `weir-core flash` wrote",
        )
    if version != VERSION:
        raise WeirError(
            f"'{datasets.path}' is a file of FLASH's format {version}",
            f"only format {VERSION} is read, and the files of the benchmark FLASH-IO",
            f"write it again in format {VERSION}",
        )
    return _header_of_version_9(datasets)


def _header_of_flash_io(datasets: Datasets) -> Header:
    row = np.atleast_1d(datasets.find("simulation parameters")[()])[0]
    cells = (int(row["nxb"]), int(row["nyb"]), int(row["nzb"]))
    dimensions = _dimensions_of(cells)
    return Header(
        "FLASH-IO",
        float(row["time"]),
        int(row["number of steps"]),
        int(row["total blocks"]),
        cells,
        corners=all(count % 2 for count in cells[:dimensions]),
        units="",
        dimensions=dimensions,
    )


def _dimensions_of(cells: tuple[int, int, int]) -> int:
    """Of a file that does not say it: blocks have one cell along an axis that the problem does not have."""
    _, y, z = cells
    return 3 if z > 1 else 2 if y > 1 else 1


def _header_of_version_9(datasets: Datasets) -> Header:
    integers = _list(datasets, "integer scalars", int)
    logicals = _list(datasets, "logical scalars", bool) if datasets.has("logical scalars") else {}
    parameters = "string runtime parameters"
    strings = _list(datasets, parameters, text) if datasets.has(parameters) else {}
    parameters = "real runtime parameters"
    reals = _list(datasets, parameters, float) if datasets.has(parameters) else {}
    ends = [(f"{axis}min", f"{axis}max") for axis in "xyz"]
    known = all(low in reals and high in reals for low, high in ends)
    cells = (int(integers["nxb"]), int(integers["nyb"]), int(integers["nzb"]))
    return Header(
        "version 9",
        float(_list(datasets, "real scalars", float)["time"]),
        int(integers.get("nstep", 0)),
        int(integers["globalnumblocks"]),
        cells,
        bool(logicals.get("corners", False)),
        strings.get("pc_unitsbase", ""),
        int(integers.get("dimensionality", _dimensions_of(cells))),
        tuple((reals[low], reals[high]) for low, high in ends) if known else None,
    )


def _list(datasets: Datasets, name: str, decode: Any) -> dict[str, Any]:
    return records(datasets.find(name), decode)


def _variables(datasets: Datasets) -> tuple[str, ...]:
    """In the file's order, without the blanks that fill them up to four letters."""
    stored = np.ravel(datasets.find("unknown names")[()])
    names = tuple(text(name) for name in stored)
    if not names:
        raise damaged(datasets.path, "it has no variables")
    return names


def _stored_name(datasets: Datasets, variable: str) -> str:
    """With the blanks, if the file has them in the dataset's name too."""
    padded = variable.ljust(4)
    return padded if datasets.has(padded) else variable


def _cells(
    datasets: Datasets, header: Header, variables: tuple[str, ...]
) -> tuple[tuple[int, int, int], bool]:
    """Of a block along x, y and z, and whether values are at their corners. The datasets have the last word:
    FLASH-IO's header of a corner plot counts corners."""
    if datasets.has(_ALL_IN_ONE) and not datasets.has(_stored_name(datasets, variables[0])):
        raise WeirError(
            f"'{datasets.path}' has all variables in one dataset, '{_ALL_IN_ONE}'",
            "only files with a dataset for each variable are read, as FLASH and FLASH-IO write them",
            "with `weir-core flash-io`, write it with --datasets separate",
        )
    stored = [datasets.find(_stored_name(datasets, name)) for name in variables]
    shapes = {dataset.shape for dataset in stored}
    if any(dataset.dtype.kind != "f" for dataset in stored):
        raise damaged(datasets.path, "a variable holds no floating-point numbers")
    if len(shapes) != 1:
        raise damaged(datasets.path, f"its variables have different shapes: {sorted(map(str, shapes))}")
    shape = shapes.pop()
    if len(shape) != 4 or shape[0] != header.blocks or min(shape) < 1:
        raise damaged(
            datasets.path, f"variables have the shape {shape}, and there are {header.blocks} blocks"
        )
    z, y, x = shape[1:]
    stated = header.stated_cells
    dimensions = header.dimensions
    between = tuple(n - 1 if axis < dimensions else n for axis, n in enumerate((x, y, z)))
    corners = header.corners or stated == between
    if stated != (x, y, z) and not (corners and stated == between):
        raise damaged(
            datasets.path,
            f"blocks have {x} x {y} x {z} values, and should have {' x '.join(map(str, stated))}",
        )
    if corners and min((x, y, z)[:dimensions]) < 2:
        raise damaged(datasets.path, "a block has values at one corner only")
    if max((x, y, z)[dimensions:], default=1) > 1:
        words = f"of {dimensions} dimensions, and blocks have {x} x {y} x {z} values"
        raise damaged(datasets.path, f"it is said to be {words}")
    return (between if corners else (x, y, z)), corners


def _tree(datasets: Datasets, header: Header) -> Tree:
    blocks, dimensions = header.blocks, header.dimensions
    relatives = 2 * dimensions + 1 + (1 << dimensions)
    return Tree(
        datasets.read("refine level", (blocks,), np.int64),
        datasets.read("node type", (blocks,), np.int64),
        datasets.read("gid", (blocks, relatives), np.int64),
        _boxes(datasets, header),
        dimensions,
    )


def _boxes(datasets: Datasets, header: Header) -> NDArray[np.float64]:
    """Along all three axes, also where the file has only those of the problem."""
    blocks, dimensions = header.blocks, header.dimensions
    stored = datasets.find("bounding box").shape
    axes = dimensions if stored == (blocks, dimensions, 2) else _AXES
    found = datasets.read("bounding box", (blocks, axes, 2), np.float64)[:, :dimensions]
    missing = np.broadcast_to([0.0, 1.0], (blocks, _AXES - dimensions, 2))
    return np.concatenate([found, missing], axis=1)
