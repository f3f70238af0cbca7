"""Which rows a claim speaks of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weir.errors import WeirError
from weir.findings.option import BESIDE, value_of
from weir.findings.row import Row, measured
from weir.units import parse_bytes

Selector = Mapping[str, Any]
EXTREMES = {"smallest": min, "largest": max}


def select(rows: list[Row], selector: Selector) -> list[Row]:
    """Rows that have a number and all that the selector asks: `phase`, options, or what stands beside them.

    Sizes are written as in a study ("16MiB"); "smallest" and "largest" choose among the rows that fit
    otherwise.
    """
    fixed = {key: value for key, value in selector.items() if not _is_extreme(value)}
    found = [row for row in measured(rows) if all(_fits(row, key, value) for key, value in fixed.items())]
    for key, value in selector.items():
        if _is_extreme(value) and found:
            wanted = EXTREMES[value](known for row in found if (known := value_of(row, key)) is not None)
            found = [row for row in found if value_of(row, key) == wanted]
    return found


def _is_extreme(value: Any) -> bool:
    return isinstance(value, str) and value in EXTREMES


def _fits(row: Row, key: str, wanted: Any) -> bool:
    if key == "phase":
        return bool(row.phase == wanted)
    if key not in BESIDE and key not in row.options:
        return False
    value = value_of(row, key)
    if isinstance(value, int) and isinstance(wanted, str):
        return value == _bytes(wanted)
    return bool(value == wanted)


def _bytes(text: str) -> int | None:
    try:
        return parse_bytes(text)
    except WeirError:
        return None
