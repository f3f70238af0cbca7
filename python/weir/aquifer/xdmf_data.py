"""What stands beside an XDMF document, in an HDF5 file of its own: the places of the grid's nodes, and each
field under a plain name, as a virtual dataset whose data stay in PFLOTRAN's file.

VTK's reader of XDMF splits a name at a colon, so it cannot open `Time:  1.00000E+00 y`; nor does it follow
links into other files, but it reads virtual datasets. In PFLOTRAN's files z is the fastest index: a grid with
the indices in that order is the mirror image of what VTK takes for right-handed, and all volumes would be
negative. So x runs backwards here, in the fields as in the nodes. That takes a source for each of its planes,
about 100 bytes, and reading is as fast as before.
"""

import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from weir.aquifer.file import COORDINATES, Edges, Output, Triple
from weir.aquifer.names import Quantity
from weir.aquifer.series import Series

MADE_BY = "weir export to XDMF"
"""The attribute of that name in the root marks a file of this kind."""
NODES = tuple(f"{COORDINATES}/{axis}" for axis in "XYZ")
_MOST_CHUNK = 4096
"""Nodes along y and z in a chunk, so that none comes near HDF5's bound of 4 GiB."""


@dataclass(frozen=True)
class Field:
    """place: of the virtual dataset in the file. type: of its numbers, in the machine's byte order."""

    quantity: Quantity
    place: str
    type: np.dtype[Any]


def group_of(number: int) -> str:
    """The name of the group of the output with that number in the series."""
    return f"{number:06d}"


def fields_of(output: Output, number: int) -> list[Field]:
    """What is written of the output with that number in the series."""
    return [
        Field(one, f"{group_of(number)}/{index:03d}", _type(output.data(one).dtype))
        for index, one in enumerate(output.quantities)
    ]


def _type(stored: np.dtype[Any]) -> np.dtype[Any]:
    """The least of four that VTK's reader knows and that holds all of its values."""
    known = ("f4", "f8") if stored.kind == "f" else ("i4", "i8")
    return next((np.dtype(one) for one in known if np.can_cast(stored, one)), np.dtype(known[1]))


def data_of(series: Series, folder: Path) -> bytes:
    """The file's content, for a place in that folder."""
    made = io.BytesIO()
    with h5py.File(made, "w") as file:
        file.attrs[MADE_BY] = 1
        _write_nodes(file, series.edges)
        for number, moment in enumerate(series.moments):
            _write_fields(file, moment.output, number, folder)
    return made.getvalue()


def _write_nodes(file: h5py.File, edges: Edges) -> None:
    """Each coordinate of all nodes, of shape (nx + 1, ny + 1, nz + 1); compressed, they are small."""
    x, y, z = edges
    shape = tuple(map(len, edges))
    chunk = (1, min(shape[1], _MOST_CHUNK), min(shape[2], _MOST_CHUNK))
    across = {1: np.broadcast_to(y[:, None], shape[1:]), 2: np.broadcast_to(z[None, :], shape[1:])}
    for axis, place in enumerate(NODES):
        made = file.create_dataset(place, shape, "f8", chunks=chunk, compression="gzip", compression_opts=1)
        for plane, value in enumerate(x[::-1]):
            made[plane] = across.get(axis, value)


def _write_fields(file: h5py.File, output: Output, number: int, folder: Path) -> None:
    path = os.path.relpath(output.file.path.resolve(), folder.resolve())
    group = file.create_group(group_of(number))
    for index, field in enumerate(fields_of(output, number)):
        source = f"/{output.time.group}/{field.quantity.stored}"
        _write_virtual(
            group, f"{index:03d}", field.type, output.file.cells, (_as_source(path), _as_source(source))
        )


def _write_virtual(
    group: h5py.Group, name: str, kind: np.dtype[Any], cells: Triple, source: tuple[bytes, bytes]
) -> None:
    """A dataset that shows another, of a file and a name in it, backwards along x. By h5py's functions of the
    low level: its others take five times as long for each plane."""
    x, *across = cells
    here, there = (h5py.h5s.create_simple(cells) for _ in range(2))
    made = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    # What is read where the data's file is missing.
    made.set_fill_value(np.array(np.nan if kind.kind == "f" else -1, kind))
    for plane in range(x):
        here.select_hyperslab((x - 1 - plane, 0, 0), (1, *across))
        there.select_hyperslab((plane, 0, 0), (1, *across))
        made.set_virtual(here, *source, there)
    here.select_all()
    h5py.h5d.create(group.id, name.encode(), h5py.h5t.py_create(kind), here, made)


def _as_source(name: str) -> bytes:
    """Of a virtual dataset, where a percent sign begins a pattern."""
    return os.fsencode(name.replace("%", "%%"))
