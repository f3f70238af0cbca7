"""What a table is, and where tables are found. Units are base units and stand in the columns' names."""

from __future__ import annotations

import functools
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

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
