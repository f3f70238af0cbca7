"""What an export format is, what formats of one table share, and where formats are found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, ClassVar

from weir.export.table import DataTable, Value, find_table
from weir.registry import Registry

if TYPE_CHECKING:
    from weir.export.source import Source

DEFAULT_TABLE = "samples"


@dataclass(frozen=True)
class Written:
    """What was written: which table and how many rows; the reason where there were none."""

    what: str
    rows: int
    empty_because: str = ""


class Format(ABC):
    """A format. Subclasses register with `@export_format(NAME)`."""

    is_text: ClassVar[bool] = True

    def prepare(self, table: str | None) -> None:  # noqa: B027 (most formats need nothing)
        """Find what is needed. Raises WeirError if something is missing, or the table cannot be had."""

    @abstractmethod
    def write(self, source: Source, table: str | None, out: BinaryIO) -> Written:
        """Write the run, or a table of it, to an open file; None leaves the table to the format."""


class TabularFormat(Format):
    """A format that holds one table."""

    def prepare(self, table: str | None) -> None:
        """Raises WeirError for a table that does not exist."""
        find_table(table or DEFAULT_TABLE)

    def write(self, source: Source, table: str | None, out: BinaryIO) -> Written:
        """Write the table row by row."""
        made = find_table(table or DEFAULT_TABLE)(source)
        counted = _Counted(made.rows)
        self.write_table(DataTable(made.name, made.columns, counted), source, out)
        return Written(made.name, counted.rows, made.empty_because if counted.rows == 0 else "")

    @abstractmethod
    def write_table(self, table: DataTable, source: Source, out: BinaryIO) -> None:
        """Write the table to an open file."""


class _Counted:
    def __init__(self, rows: Iterable[Sequence[Value]]) -> None:
        self._inner = rows
        self.rows = 0

    def __iter__(self) -> Iterator[Sequence[Value]]:
        for row in self._inner:
            self.rows += 1
            yield row


_formats = Registry[type[Format]]("weir.export.formats", "format")
export_format = _formats.register
"""Class decorator: make the format known under the name, which is that of its module."""
format_names = _formats.modules


def find_format(name: str) -> Format:
    """A new format of that name. Raises WeirError if there is none."""
    return _formats.find(name)()
