"""A file of a dump: its header, and its arrays as they lie there, read only where they are looked at."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from weir.cloud.header import HEADER_BYTES, Header, Triple, header_of
from weir.errors import WeirError, system_errors
from weir.files.named import check_named
from weir.units import count_words

STATE = ("rho", "u", "v", "w", "p", "phi")
"""The arrays of data-analysis and restart files, in their order."""
PICTURED = ("density", "pressure", "speed", "potential")
"""The fields of visualisation files, which are named after them, and those that pictures are made of."""
SCALED = "scaled"
"""The one array of a visualisation file: bytes, 0 to 255."""
RESTART = "restart"
ANALYSIS = "analysis-"

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
    """Open a file of either kind, recognised by its size; only its header is read now. Raises WeirError if
    there is none, or it is no whole file of a dump."""
    with system_errors(f"cannot read '{path}'", "name a file that the gas cloud has dumped"):
        head, size = _start_of(path)
        kind = _kind(path, head, size)
        return Dump(path, head, kind, _arrays(path, head, kind))


def _start_of(path: Path) -> tuple[Header, int]:
    check_named(path, "the dump", "name a file that `weir-core cloud` wrote")
    size = path.stat().st_size
    if size < HEADER_BYTES:
        raise _no_dump(path, f"it has {count_words(size, 'byte')}, and a header alone has {HEADER_BYTES}")
    with path.open("rb") as file:
        start = file.read(HEADER_BYTES)
    if start.startswith((b"\x89HDF", b"CDF")):
        raise WeirError(
            f"'{path}' is a file of HDF5 or netCDF",
            "runs with --backend hdf5 or pnetcdf leave such dumps, and plain bytes alone are drawn",
            "read it with h5py or netCDF4, by its arrays' names, or dump through another back-end",
        )
    head = header_of(start)
    if head is None:
        raise _no_dump(path, "its first six reals are not cells along x, y and z, step, time and gamma")
    return head, size


def _kind(path: Path, head: Header, size: int) -> Kind:
    scaled, state = HEADER_BYTES + head.all_cells, HEADER_BYTES + 4 * len(STATE) * head.all_cells
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
        whole = np.memmap(path, np.uint8, "r", HEADER_BYTES, (1, z, y, x))
        return {SCALED: whole[0]}
    real = np.dtype(np.float32).newbyteorder(head.byte_order)
    whole = np.memmap(path, real, "r", HEADER_BYTES, (len(STATE), z, y, x))
    return dict(zip(STATE, whole, strict=True))


def words_for(cells: Triple) -> str:
    """Cells along x, y and z, for people."""
    return " x ".join(map(str, cells))


def newest_in(directory: Path) -> Path:
    """The data-analysis file of the step that the restart file holds, else the restart file, which each
    dump replaces once it is whole; without one the data-analysis file of the last step. Raises WeirError if
    there is neither.
    """
    analyses = {_step(path): path for path in sorted(directory.glob(f"{ANALYSIS}*"))}
    restart = directory / RESTART
    if restart.is_file():
        return analyses.get(open_dump(restart).header.step, restart)
    steps = [step for step in analyses if step is not None]
    if not steps:
        raise WeirError(
            f"there is no dump in '{directory}'",
            f"it has neither {RESTART} nor {ANALYSIS}000005 or the like",
            "name the directory that `weir-core cloud` wrote its dumps to, or a file of them",
        )
    return analyses[max(steps)]


def _step(path: Path) -> int | None:
    number = path.name.removeprefix(ANALYSIS)
    return int(number) if number.isdecimal() else None
