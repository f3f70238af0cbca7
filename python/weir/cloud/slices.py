"""A plane of cells."""

from __future__ import annotations

from weir.cloud.dump import Dump
from weir.cloud.fields import Values, Where, values
from weir.cloud.survey import AXES
from weir.errors import WeirError


def slice_of(dump: Dump, field: str, along: str, at: int) -> Values:
    """The field in the plane of cell `at`, from 0, across an axis; rows as those of Survey.columns."""
    where: Where = tuple(at if axis == along else slice(None) for axis in AXES)
    return values(dump, field, where)


def check_plane(dump: Dump, along: str, at: int) -> int:
    """That cell. Raises WeirError if the box has none of that number along the axis."""
    cells = dump.header.cells["xyz".index(along)]
    if not 0 <= at < cells:
        raise WeirError(
            f"there is no cell {at} along {along}", f"there are {cells} cells", f"use 0 to {cells - 1}"
        )
    return at
