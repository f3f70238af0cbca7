"""Points that others printed of such cases on their machines, for figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from weir.errors import WeirError

PHASE, RANKS, RATE = COLUMNS = ("phase", "ranks", "mb_per_s")
"""What each mark must have; MB are 10^6 bytes. Every other column is an option of its case."""
_MB = 1e6


@dataclass(frozen=True)
class Mark:
    """A bandwidth that was printed for `machine`; `options` are those of the case, as (key, value)."""

    machine: str
    source: str
    phase: str
    ranks: int
    bytes_per_s: float
    options: tuple[tuple[str, object], ...] = ()

    @property
    def state(self) -> str:
        """What it is, for a legend."""
        return f"printed for {self.machine}"

    def of(self, key: str) -> object:
        """The value of an option; null where nothing is printed of it."""
        return dict(self.options).get(key)

    def words(self) -> str:
        """ "152 MB/s with 16 ranks, Columbia: figure 9"."""
        rate = f"{self.bytes_per_s / _MB:g} MB/s"
        return f"{rate} with {self.ranks} ranks, {self.machine}: {self.source}"


def check_marks(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Raises WeirError for marks without phase, ranks or bandwidth, or of which these are none."""
    lacking = [name for name in COLUMNS if name not in columns]
    if lacking or len(set(columns)) < len(columns):
        raise WeirError(
            f"marks cannot have the columns {', '.join(columns)}",
            f"there is no {lacking[0]}" if lacking else "one of them is there twice",
            f"it takes {', '.join(COLUMNS)}, and the options that tell the cases apart",
        )
    for row in rows:
        cells = dict(zip(columns, row, strict=False))
        whole = isinstance(cells.get(RANKS), int) and isinstance(cells.get(RATE), int | float)
        if len(row) != len(columns) or not whole or not isinstance(cells[PHASE], str):
            raise WeirError(
                f"the row {list(row)} is no mark",
                "it needs a cell for each column: a name for the phase, numbers for ranks and bandwidth",
                'write for example ["checkpoint", 16, 152]',
            )


def marks_of(comparison: Mapping[str, Any]) -> list[Mark]:
    """All marks of a comparison. Raises WeirError for marks that are none."""
    for part in comparison.get("mark", []):
        check_marks(part["columns"], part["rows"])
    return [
        Mark(
            part["machine"],
            part["source"],
            cells.pop(PHASE),
            cells.pop(RANKS),
            cells.pop(RATE) * _MB,
            tuple(cells.items()),
        )
        for part in comparison.get("mark", [])
        for row in part["rows"]
        for cells in [dict(zip(part["columns"], row, strict=True))]
    ]
