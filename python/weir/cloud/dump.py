"""A file of a dump: its header, and its arrays as they lie there, read only where they are looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from weir.cloud import header
from weir.cloud.header import Header
from weir.counts import count_words
from weir.errors import WeirError
from weir.files.named import check_named

STATE = ("rho", "u", "v", "w", "p", "phi")
"""The arrays of data-analysis and restart files, in their order."""
PICTURED = ("density", "pressure", "speed", "potential")
"""The fields of visualisation files, which are named after them, and those that pictures are made of."""
SCALED = "scaled"
"""The one array of a visualisation file: bytes, 0 to 255."""

Kind = Literal["state", "visualisation"]
Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class Dump:
    """arrays: by name, those of STATE or SCALED alone; of shape (nz, ny, nx), in the file's byte order."""

    path: Path
    header: Header
    kind: Kind
    arrays: Arrays


def open_dump(path: Path) -> Dump:
    """Open a file of either kind, told by its size; nothing but its header is read now. Raises WeirError if
    there is none, or it is no whole file of a dump.
    """
    try:
        head, size = _start_of(path)
        kind = _kind(path, head, size)
        return Dump(path, head, kind, _arrays(path, head, kind))
    except OSError as error:
        raise WeirError(
            f"cannot read '{path}'", error.strerror or str(error), "name a file that the gas cloud has dumped"
        ) from error


def _start_of(path: Path) -> tuple[Header, int]:
    check_named(path, "the dump", "name a file that `weir-core cloud` wrote")
    size = path.stat().st_size
    if size < header.BYTES:
        raise _no_dump(path, f"it has {count_words(size, 'byte')}, and a header alone has {header.BYTES}")
    with path.open("rb") as file:
        start = file.read(header.BYTES)
    if start.startswith((b"\x89HDF", b"CDF")):
        raise WeirError(
            f"'{path}' is a file of HDF5 or netCDF",
            "runs with --backend hdf5 or pnetcdf leave such dumps, and plain bytes alone are drawn",
            "read it with h5py or netCDF4, by its arrays' names, or dump through another back-end",
        )
    head = header.header_of(start)
    if head is None:
        raise _no_dump(path, "its first six reals are not cells along x, y and z, step, time and gamma")
    return head, size


def _kind(path: Path, head: Header, size: int) -> Kind:
    scaled, state = header.BYTES + head.all_cells, header.BYTES + 4 * len(STATE) * head.all_cells
    if size in (scaled, state):
        return "state" if size == state else "visualisation"
    cut = "truncated" if size < scaled else "too long" if size > state else "truncated, or too long"
    raise WeirError(
        f"'{path}' is {cut}",
        f"it has {size:,} bytes; with {words_for(head.cells)} cells, as its header says, a data-analysis or "
        f"restart file has {state:,}, a visualisation file {scaled:,}",
        "take another dump",
    )


def _no_dump(path: Path, why: str) -> WeirError:
    return WeirError(f"'{path}' is no dump of the gas cloud", why, "name a file that `weir-core cloud` wrote")


def _arrays(path: Path, head: Header, kind: Kind) -> Arrays:
    x, y, z = head.cells
    if kind == "visualisation":
        whole = np.memmap(path, np.uint8, "r", header.BYTES, (1, z, y, x))
        return {SCALED: whole[0]}
    real = np.dtype(np.float32).newbyteorder(head.byte_order)
    whole = np.memmap(path, real, "r", header.BYTES, (len(STATE), z, y, x))
    return dict(zip(STATE, whole, strict=True))


def words_for(cells: header.Triple) -> str:
    """Cells along x, y and z, for people."""
    return " x ".join(map(str, cells))
