"""Files of FLASH's format 9, and of the benchmark FLASH-IO, with known fields."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from flash.made_tree import MadeTree, of_blocks

Field = Callable[[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]], Any]
TIME, STEP = 0.05, 123
SUFFIX = {"checkpoint": "hdf5_chk_0000", "plot": "hdf5_plt_cnt_0000", "corner plot": "hdf5_plt_crn_0000"}


def slope(x: Any, y: Any, z: Any) -> Any:
    return 1 + x + 10 * y + 100 * z


def even(x: Any, y: Any, z: Any) -> Any:
    return 2.0


@dataclass(frozen=True)
class Recipe:
    """particles: whether scalars of particles are there. ranks: that "wrote" it, with equal shares.
    dimensionality: whether the file says how many dimensions it has, which those of old versions do not."""

    tree: MadeTree = field(default_factory=lambda: of_blocks(17))
    fields: Mapping[str, Field] = field(default_factory=lambda: {"dens": slope, "pres": even})
    cells: int = 8
    kind: str = "checkpoint"
    particles: bool = False
    ranks: int = 2
    version: int = 9
    storage: Mapping[str, Any] = field(default_factory=dict)
    dimensionality: bool = True


def write_file(folder: Path, recipe: Recipe, name: str = "") -> Path:
    """A file of format 9, named as FLASH names it."""
    path = folder / (name or f"blast_{SUFFIX[recipe.kind]}")
    with h5py.File(path, "w") as file:
        _write_lists(file, recipe)
        names = np.array([name.encode().ljust(4) for name in recipe.fields], "S4")
        file["unknown names"] = names[:, None]
        write_tree(file, recipe)
        write_fields(file, recipe)
    return path


def _write_lists(file: h5py.File, recipe: Recipe) -> None:
    info = np.zeros(1, [("file format version", "i4"), ("setup call", "S400"), ("flash version", "S80")])
    info["file format version"] = recipe.version
    file["sim info"] = info
    blocks, roots, dimensions = len(recipe.tree.blocks), recipe.tree.roots, recipe.tree.dimensions
    nx, ny, nz = cells_of(recipe)
    scalars = {"nxb": nx, "nyb": ny, "nzb": nz, "globalnumblocks": blocks, "nstep": STEP}
    if recipe.dimensionality:
        scalars["dimensionality"] = dimensions
    if recipe.particles:
        scalars["globalnumparticles"] = 0
    mesh = {
        "lrefine_min": 1,
        "lrefine_max": 6,
        **dict(zip(("nblockx", "nblocky", "nblockz"), roots, strict=True)),
    }
    ends = {f"{axis}min": 0.0 for axis in "xyz"} | {
        f"{axis}max": float(count) for axis, count in zip("xyz", roots, strict=True)
    }
    logicals = {"corners": int(recipe.kind == "corner plot"), "double_precision": int(is_double(recipe))}
    put(file, "integer scalars", scalars, "i4")
    put(file, "integer runtime parameters", mesh, "i4")
    put(file, "real scalars", {"time": TIME, "dt": 1e-4}, "f8")
    put(file, "real runtime parameters", {**ends, "gamma": 1.4}, "f8")
    put(file, "string scalars", {"geometry": "cartesian"}, "S80")
    put(file, "string runtime parameters", {"basenm": "blast_"}, "S80")
    put(file, "logical scalars", logicals, "i4")
    put(file, "logical runtime parameters", {"useparticles": 0}, "i4")


def cells_of(recipe: Recipe) -> tuple[int, int, int]:
    """Of a block along x, y and z."""
    x, y, z = (recipe.cells if axis < recipe.tree.dimensions else 1 for axis in range(3))
    return x, y, z


def put(file: h5py.File, name: str, values: Mapping[str, Any], kind: str) -> None:
    """A list of names and values; both filled up with blanks where they are text."""
    rows = np.zeros(len(values), [("name", "S80"), ("value", kind)])
    rows["name"] = [key.encode().ljust(80) for key in values]
    texts = kind.startswith("S")
    rows["value"] = [value.encode().ljust(80) if texts else value for value in values.values()]
    file[name] = rows


def is_double(recipe: Recipe) -> bool:
    return recipe.kind == "checkpoint"


def write_tree(file: h5py.File, recipe: Recipe) -> None:
    tree, real = recipe.tree, "f8" if is_double(recipe) else "f4"
    boxes = np.array([tree.box(place) for place in tree.blocks])
    blocks = len(tree.blocks)
    file["refine level"] = np.array([place[0] for place in tree.blocks], "i4")
    file["node type"] = np.array([tree.type_of(place) for place in tree.blocks], "i4")
    file["gid"] = np.array([tree.gid(place) for place in tree.blocks], "i4")
    file["bounding box"] = boxes.astype(real)
    file["coordinates"] = boxes.mean(2).astype(real)
    file["block size"] = np.diff(boxes, axis=2)[..., 0].astype(real)
    file["processor number"] = np.arange(blocks, dtype="i4") * recipe.ranks // blocks


def write_fields(file: h5py.File, recipe: Recipe) -> None:
    """At the cells' centres, or at their corners."""
    corners = recipe.kind == "corner plot"
    axes = range(recipe.tree.dimensions)
    at = [
        np.arange(n + 1) / n if corners and axis in axes else (np.arange(n) + 0.5) / n
        for axis, n in enumerate(cells_of(recipe))
    ]
    for name, formula in recipe.fields.items():
        blocks = []
        for place in recipe.tree.blocks:
            box = recipe.tree.box(place)
            x, y, z = (low + (high - low) * shares for (low, high), shares in zip(box, at, strict=True))
            values_here = formula(x[None, None, :], y[None, :, None], z[:, None, None])
            blocks.append(values_here + np.zeros([len(z), len(y), len(x)]))
        values = np.array(blocks, "f8" if is_double(recipe) else "f4")
        made = file.create_dataset(name, data=values, **recipe.storage)
        made.attrs["minimum"], made.attrs["maximum"] = [float(values.min())], [float(values.max())]


def write_flash_io(path: Path, blocks: int = 5, cells: int = 4, *, corners: bool = False) -> Path:
    """A file of the benchmark: unknown i is i everywhere, and no block has a place."""
    side = cells + 1 if corners else cells
    with h5py.File(path, "w") as file:
        head = np.zeros(
            1,
            [("total blocks", "i4"), ("time", "f8"), ("timestep", "f8"), ("number of steps", "i4")]
            + [(name, "i4") for name in ("nxb", "nyb", "nzb")],
        )
        head["total blocks"], head["nxb"], head["nyb"], head["nzb"] = blocks, side, side, side
        file["file creation time"], file["FLASH version"] = np.array([b"now"], "S40"), np.array([b"2"], "S20")
        file["simulation parameters"] = head
        names = [b"dens", b"temp", b"pres", b"f1  "]
        file["unknown names"] = np.array(names, "S4")[:, None]
        file["refine level"] = file["node type"] = np.ones(blocks, "i4")
        file["gid"] = np.full((blocks, 15), -1, "i4")
        file["coordinates"], file["block size"] = np.full((blocks, 3), 0.25), np.full((blocks, 3), 0.5)
        file["bounding box"] = np.zeros((blocks, 3, 2))
        for number, name in enumerate(names):
            file[name.decode()] = np.full((blocks, side, side, side), number + 1, "f4" if corners else "f8")
    return path
