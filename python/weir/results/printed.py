"""Tables that others printed of the same case on their machines, and numbers as they print them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from weir.analyse.statistics import MedianEstimate
from weir.units import Shown

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
    return msgspec.convert(comparison.get("printed", []), list[Printed])


def as_printed(value: float) -> str:
    """The number as papers print it, with four significant digits, at most three of them decimals."""
    whole = len(str(int(abs(value)))) if abs(value) >= 1 else 0
    return f"{value:,.{max(0, min(3, 4 - whole))}f}"


def median_words(estimate: MedianEstimate, shown: Shown) -> str:
    """ "0.0102 [0.00981, 0.0115]", in the unit that it is shown in; the median alone where there is no
    interval."""
    median = shown.show(estimate.median)
    if estimate.low is None or estimate.high is None:
        return median
    return f"{median} [{shown.show(estimate.low)}, {shown.show(estimate.high)}]"


def estimate_data(key: str, estimate: MedianEstimate | None) -> dict[str, Any]:
    """Median and interval under keys that end in the unit of `key`; null where there is none."""
    if estimate is None:
        return {f"median_{key}": None, f"low_{key}": None, f"high_{key}": None}
    return {f"median_{key}": estimate.median, f"low_{key}": estimate.low, f"high_{key}": estimate.high}
