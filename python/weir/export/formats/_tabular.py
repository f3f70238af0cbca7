"""What formats of one table share: which tables there are, and counting the rows that pass."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

from weir.export.format import Format, Written
from weir.export.source import Source
from weir.export.table import Table, Value, find_table

DEFAULT_TABLE = "samples"


class TabularFormat(Format):
    """A format that holds one table."""

    def prepare(self, table: str | None) -> None:
        """Raises WeirError for a table that does not exist."""
        find_table(table or DEFAULT_TABLE)

    def write(self, source: Source, table: str | None, out: BinaryIO) -> Written:
        """Write the table row by row."""
        made = find_table(table or DEFAULT_TABLE)(source)
        counted = _Counted(made.rows)
        self.write_table(Table(made.name, made.columns, counted), source, out)
        return Written(made.name, counted.rows, made.empty_because if counted.rows == 0 else "")

    @abstractmethod
    def write_table(self, table: Table, source: Source, out: BinaryIO) -> None:
        """Write the table to an open file."""


class _Counted:
    def __init__(self, rows: Iterable[Sequence[Value]]) -> None:
        self._inner = rows
        self.rows = 0

    def __iter__(self) -> Iterator[Sequence[Value]]:
        for row in self._inner:
            self.rows += 1
            yield row
