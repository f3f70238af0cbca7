"""Tables that others printed of the same case on their machine, as a study holds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Cell = str | int | float


@dataclass(frozen=True)
class Printed:
    """One table as it was printed: `table` is the kind that Weir makes of its own runs too, `source` says
    where it stands. Each row holds a cell for each column, its operation first; columns end in their unit.
    """

    machine: str
    source: str
    table: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    def number(self, operation: str, column: str) -> float | None:
        """The number printed there; null where there is none."""
        if column not in self.columns:
            return None
        at = self.columns.index(column)
        found = next((row[at] for row in self.rows if row[0] == operation), None)
        return None if found is None or isinstance(found, str) else float(found)


def printed_of(comparison: Mapping[str, Any]) -> list[Printed]:
    """All printed tables of a comparison, read from a study that was checked when it was loaded."""
    return [
        Printed(
            item["machine"],
            item["source"],
            item["table"],
            tuple(item["columns"]),
            tuple(map(tuple, item["rows"])),
            tuple(item.get("notes", ())),
        )
        for item in comparison.get("printed", [])
    ]


def tables_of(comparison: Mapping[str, Any]) -> list[str]:
    """The tables that a comparison asks for: one, several or none."""
    asked = comparison.get("table") or []
    return [asked] if isinstance(asked, str) else list(asked)


def as_printed(value: float) -> str:
    """The number as papers print it, with four significant digits, at most three of them decimals."""
    whole = len(str(int(abs(value)))) if abs(value) >= 1 else 0
    return f"{value:,.{max(0, min(3, 4 - whole))}f}"
