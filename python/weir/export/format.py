"""What tables and export formats are, what formats of one table share, and where both are found. Units are
base units and stand in the columns' names."""

from __future__ import annotations

import functools
import types
import typing
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import BinaryIO, ClassVar

from weir.registry import Registry

if typing.TYPE_CHECKING:
    from weir.export.source import Source

Value = str | int | float | bool | None
"""A cell; None is unknown, or does not apply."""


class CellType(Enum):
    """What the cells of a column are, besides None."""

    TEXT = str
    INTEGER = int
    NUMBER = float
    TRUTH = bool


@dataclass(frozen=True)
class Field:
    """A column: its name, ending in its unit where it has one, and what its cells are."""

    name: str
    kind: CellType = CellType.TEXT


@dataclass(frozen=True)
class DataTable:
    """A table whose rows can be gone through once; each has a cell for each column."""

    name: str
    columns: tuple[Field, ...]
    rows: Iterable[Sequence[Value]]
    empty_because: str = "the run has no such data"
    """Why there is no row, where there is none."""


TableMaker = Callable[["Source"], DataTable]

_makers = Registry[TableMaker]("weir.export.tables", "table")
table = _makers.register
"""Registers a function that makes a table of a run, under the table's name, which is that of its module."""
table_names = _makers.modules
find_table = _makers.find


@functools.cache
def scalars(struct: type) -> tuple[Field, ...]:
    """A column for each field of a record that is a single value, named like it."""
    return tuple(_scalars(struct))


def _scalars(struct: type) -> Iterator[Field]:
    for name, hint in typing.get_type_hints(struct).items():
        parts = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
        wanted = {part for part in parts if part is not types.NoneType}
        if len(wanted) == 1 and (one := wanted.pop()) in (str, int, float, bool):
            yield Field(name, CellType(one))


def joined(parts: Iterable[str]) -> str:
    """Several words in one cell."""
    return "; ".join(parts)


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
