"""What a dump can show, and under which name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.cloud.dump import PICTURED, SCALED, Arrays, Dump
from weir.errors import WeirError

Values = NDArray[np.float64]
Where = tuple[int | slice, ...]
"""Which cells, as an index (z, y, x)."""


def values(dump: Dump, field: str, where: Where) -> Values:
    """The values of some cells of an array of the dump, or of a field of PICTURED, in double precision.
    Values of visualisation files are scaled, 0 to 255.
    """
    if dump.kind == "visualisation":
        return _double(dump.arrays[SCALED][where])
    make = _MADE.get(field) or _array(field)
    return make(dump.arrays, where)


def field_of(dump: Dump, wanted: str | None) -> str:
    """The field to draw: the one that is wanted, else the only one that the file has, else the density.
    Raises WeirError for an unknown one, for another than the file's, and where the file's cannot be told.
    """
    if wanted is not None and wanted not in PICTURED:
        raise WeirError(f"there is no field '{wanted}'", "", f"use one of {', '.join(PICTURED)}")
    if dump.kind == "state":
        return wanted or "density"
    own = next((field for field in PICTURED if dump.path.name.startswith(field)), None)
    if own is None and wanted is None:
        raise WeirError(
            f"cannot tell which field '{dump.path}' holds",
            "it is a visualisation file whose name does not begin with the field",
            f"say it with --field: {', '.join(PICTURED)}",
        )
    if own is not None and wanted not in (None, own):
        raise WeirError(
            f"'{dump.path}' holds no {wanted}",
            f"it is a visualisation file of the {own}",
            f"take {wanted}-{dump.header.step:06d}, or a data-analysis file",
        )
    return own or str(wanted)


def _speed(arrays: Arrays, where: Where) -> Values:
    u, v, w = (_double(arrays[name][where]) for name in ("u", "v", "w"))
    return np.sqrt(u * u + v * v + w * w)


def _double(array: NDArray[Any]) -> Values:
    return np.asarray(array, np.float64)


def _array(name: str) -> Callable[[Arrays, Where], Values]:
    return lambda arrays, where: _double(arrays[name][where])


_MADE: dict[str, Callable[[Arrays, Where], Values]] = {
    "density": _array("rho"),
    "pressure": _array("p"),
    "potential": _array("phi"),
    "speed": _speed,
}
