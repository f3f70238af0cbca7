"""A plane through the leaves of a file: each pixel has the value of the cell that it lies in, and the borders
of the blocks are lines. Nothing is resampled: a pixel is a cell of the finest level in the plane."""

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import h5py
import numpy as np
from numpy.typing import NDArray

from weir.errors import ExitCode, WeirError
from weir.figures.image import Values
from weir.figures.panel import MOST_CELLS, Line
from weir.flash.file import FlashFile
from weir.flash.tree import Flags, Integers

AXES = "xyz"
_CORNER_PIXELS = 1200
"""Along the longest side, where values between corners are drawn."""
Sampled = tuple[NDArray[np.int64], NDArray[np.float64]]
"""For pixels along one axis: the cell of the block, and how far into it, as a share of its edge."""


@dataclass(frozen=True)
class Plane:
    """Where to cut: across an axis, at a place in the domain."""

    axis: str
    at: float


@dataclass(frozen=True)
class Slice:
    """values: rows upwards, columns to the right. levels: of the blocks that were cut, from coarse to fine.
    thinned: there are more cells than pixels, and some are not drawn."""

    right: str
    up: str
    values: Values
    borders: list[Line]
    leaves: int
    levels: tuple[int, ...]
    thinned: bool


def plane_in(file: FlashFile, axis: str, at: float | None) -> Plane:
    """The plane, by default through the middle. Raises WeirError where there is none, since it is outside, or
    the file's blocks are not those of a sound tree."""
    if axis not in tuple(AXES):
        raise WeirError(f"there is no axis '{axis}'", "", "use x, y or z")
    dimensions = file.header.dimensions
    if dimensions == 1:
        raise WeirError(
            f"'{file.path}' is of one dimension",
            "there is no plane to draw",
            f"`weir show {file.path}` shows what is in it; draw its values with another program",
        )
    if dimensions == 2 and (axis != "z" or at is not None):
        raise WeirError(
            f"'{file.path}' is of two dimensions",
            "all of it is one plane, of x and y",
            "leave --axis and --at away",
        )
    if file.header.layout == "FLASH-IO" and not file.tree.is_placed:
        raise WeirError(
            f"the blocks of '{file.path}' have no place",
            "the benchmark FLASH-IO fills their bounding boxes with zeros",
            "draw a file that FLASH or `weir-core flash` wrote",
        )
    fault = next(file.tree.faults(), None)
    if fault:
        raise WeirError(
            f"the tree of blocks in '{file.path}' is damaged",
            fault,
            f"take another file; `weir show {file.path}` tells what else is in it",
            ExitCode.WRONG_DATA,
        )
    low, high = map(float, file.tree.domain[AXES.index(axis)])
    place = (low + high) / 2 if at is None else at
    if not low <= place <= high:
        raise WeirError(
            f"there is no {axis} = {place:g}",
            f"the domain reaches from {low:g} to {high:g}",
            f"use a place in it, for example --at {(low + high) / 2:g}",
        )
    return Plane(axis, place)


def slice_of(file: FlashFile, plane: Plane, variable: str | None) -> Slice:
    """The variable in the plane, or without one the level of the blocks. Raises WeirError for a value that is
    no finite number."""
    tree = file.tree
    right, up = (axis for axis in AXES if axis != plane.axis)
    cut, depth = _cut(file, plane)
    finest = int(tree.levels[cut].max())
    across = [_pixels(file, AXES.index(axis), finest) for axis in (right, up)]
    thinning = max(-(-max(across) // MOST_CELLS), 1)
    width, height = (count // thinning for count in across)
    if file.header.corners and variable:
        finer = max(1, round(_CORNER_PIXELS / max(width, height)))
        width, height = width * finer, height * finer
    values = np.full((height, width), np.nan)
    data = file.data(variable) if variable else None
    for block in cut:
        columns, x = _samples(file, block, right, width)
        rows, y = _samples(file, block, up, height)
        if data is None:
            values[rows, columns] = tree.levels[block]
        elif len(x[0]) and len(y[0]):
            layer = _layer(file, data, plane, block, depth[block])
            values[rows, columns] = (
                _between(layer, y, x) if file.header.corners else layer[np.ix_(y[0], x[0])]
            )
    _check(file, variable, values)
    levels = tuple(map(int, np.unique(tree.levels[cut])))
    borders = list(_borders(file, cut, right, up, finest))
    return Slice(right, up, values, borders, len(cut), levels, thinning > 1)


def _cut(file: FlashFile, plane: Plane) -> tuple[Integers, Values]:
    """The leaves that the plane crosses, and for each block how far into it, counted in cells. On a border it
    crosses the one behind it."""
    tree, axis = file.tree, AXES.index(plane.axis)
    low, high = tree.domain[axis]
    extents = tree.extents(tree.levels)[:, axis]
    into = (plane.at - low) / (high - low) * extents
    which = np.minimum(np.floor(into), extents - 1)
    crossed: Flags = tree.leaves & (which == tree.places[:, axis])
    return np.flatnonzero(crossed), (into - which) * file.cells[axis]


def _pixels(file: FlashFile, axis: int, level: int) -> int:
    """Cells of that level along the domain."""
    return int(file.tree.extents(level)[axis]) * file.cells[axis]


def _samples(file: FlashFile, block: int, axis: str, pixels: int) -> tuple[slice, Sampled]:
    """The pixels along the axis whose centres lie in the block, and where in it; in whole numbers."""
    number = AXES.index(axis)
    extent = int(file.tree.extents(file.tree.levels[block])[number])
    place = int(file.tree.places[block, number])
    first, end = (-((extent - 2 * pixels * edge) // (2 * extent)) for edge in (place, place + 1))
    into = ((2 * np.arange(first, end) + 1) * extent - 2 * pixels * place) * file.cells[number]
    cell = into // (2 * pixels)
    return slice(first, end), (cell, (into - cell * 2 * pixels) / (2 * pixels))


def _layer(file: FlashFile, data: h5py.Dataset, plane: Plane, block: int, depth: float) -> Values:
    """Of one block: the cells that the plane goes through; of a corner plot, between corners."""
    axis = AXES.index(plane.axis)
    cell = min(int(depth), file.cells[axis] - 1)

    def layer(number: int) -> Values:
        where: list[int | slice] = [block, slice(None), slice(None), slice(None)]
        where[3 - axis] = number
        return np.asarray(data[tuple(where)], np.float64)

    if not file.header.corners or data.shape[3 - axis] == 1:
        return layer(cell)
    return layer(cell) * (1 - (depth - cell)) + layer(cell + 1) * (depth - cell)


def _between(corners: Values, rows: Sampled, columns: Sampled) -> Values:
    """Linear along both axes between the corners of each cell."""
    (row, up), (column, right) = rows, columns
    lower = corners[np.ix_(row, column)] * (1 - right) + corners[np.ix_(row, column + 1)] * right
    upper = corners[np.ix_(row + 1, column)] * (1 - right) + corners[np.ix_(row + 1, column + 1)] * right
    between: Values = lower * (1 - up[:, None]) + upper * up[:, None]
    return between


def _check(file: FlashFile, variable: str | None, values: Values) -> None:
    sound = np.isfinite(values)
    if not sound.all():
        raise WeirError(
            f"'{file.path}' holds no sound state",
            f"{variable} is {values[~sound][0]} in a cell of this plane",
            "take an earlier file",
            ExitCode.WRONG_DATA,
        )


def _borders(file: FlashFile, cut: Integers, right: str, up: str, finest: int) -> Iterator[Line]:
    """Of the blocks, in the domain's lengths; lines that continue each other are one."""
    axes = [AXES.index(right), AXES.index(up)]
    shift = finest - file.tree.levels[cut]
    starts = file.tree.places[cut][:, axes] << shift[:, None]
    ends = starts + (1 << shift)[:, None]
    low = file.tree.domain[axes, 0]
    edge = (file.tree.domain[axes, 1] - low) / file.tree.extents(finest)[axes]
    for along in (0, 1):
        spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            for place in (start[1 - along], end[1 - along]):
                spans[place].append((start[along], end[along]))
        for place, parts in sorted(spans.items()):
            for first, last in _joined(parts):
                line = np.empty((2, 2))
                line[:, along] = first, last
                line[:, 1 - along] = place
                (a, b), (c, d) = (low + line * edge).tolist()
                yield (a, b), (c, d)


def _joined(parts: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Spans that touch or overlap as one."""
    first, last = math.inf, -math.inf
    for start, end in sorted(parts):
        if start > last:
            if last >= first:
                yield int(first), int(last)
            first, last = start, end
        last = max(last, end)
    yield int(first), int(last)
