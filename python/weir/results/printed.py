"""An application's I/O in words, and the tables that others printed of the same case on their machines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from weir.analyse.io_account import IoAccount
from weir.analyse.statistics import FEWEST_SAMPLES, MedianEstimate
from weir.units import Shown, count_words

Cell = str | int | float
TIMES = " x "


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


def run_words(account: IoAccount) -> str:
    """ "128 x 128 x 64 cells, 8 ranks (2 x 2 x 2), 20 steps, 4 dumps, two-phase"; what is not known is left
    out."""
    along = account.shape.get("ranks_along")
    parts = [
        size_words(account) + (f" ({_by(along)})" if isinstance(along, list) else ""),
        *(count_words(number, noun) for noun, number in _counts(account)),
        str(account.shape.get("method", "")),
    ]
    return ", ".join(filter(None, parts))


def size_words(account: IoAccount) -> str:
    """ "128 x 128 x 64 cells, 8 ranks"."""
    cells = account.shape.get("cells")
    ranks = count_words(account.ranks, "rank")
    return f"{_by(cells)} cells, {ranks}" if isinstance(cells, list) else ranks


def _by(numbers: Sequence[int]) -> str:
    return TIMES.join(map(str, numbers))


def _counts(account: IoAccount) -> list[tuple[str, int]]:
    known = [(noun, account.shape.get(f"{noun}s")) for noun in ("step", "dump")]
    return [(noun, number) for noun, number in known if isinstance(number, int)]


def source_words(account: IoAccount, printed: Sequence[Printed]) -> str:
    """What the numbers of each machine are."""
    if account.runs >= FEWEST_SAMPLES:
        here = f"medians of n = {count_words(account.runs, 'run')} with 95 % intervals"
    elif account.runs > 1:
        here = f"medians of n = {count_words(account.runs, 'run')}; no interval below {FEWEST_SAMPLES}"
    else:
        here = "a single run (n = 1), so no interval"
    return ". ".join([f"Here: {here}", *(f"{table.machine}: {table.source}" for table in printed)]) + "."


def here_words(account: IoAccount) -> str:
    """The heading of what was measured here."""
    return "here [95 % interval]" if account.runs >= FEWEST_SAMPLES else "here"


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
