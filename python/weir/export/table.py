"""What a table is, and where tables are found. Units are base units and stand in the columns' names."""

from __future__ import annotations

import functools
import importlib
import pkgutil
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

import weir.export.tables as package
from weir.errors import WeirError

if typing.TYPE_CHECKING:
    from weir.export.source import Source

Value = str | int | float | bool | None
"""A cell; None is unknown, or does not apply."""


class Kind(Enum):
    """What the cells of a column are, besides None."""

    TEXT = str
    INTEGER = int
    NUMBER = float
    TRUTH = bool


@dataclass(frozen=True)
class Column:
    """A column: its name, ending in its unit where it has one, and what its cells are."""

    name: str
    kind: Kind = Kind.TEXT


@dataclass(frozen=True)
class Table:
    """A table whose rows can be gone through once; each has a cell for each column."""

    name: str
    columns: tuple[Column, ...]
    rows: Iterable[Sequence[Value]]
    empty_because: str = "the run has no such data"
    """Why there is no row, where there is none."""


TableMaker = Callable[["Source"], Table]

_makers: dict[str, TableMaker] = {}


def table(name: str) -> Callable[[TableMaker], TableMaker]:
    """Registers a function that makes a table of a run, under the table's name."""

    def register(function: TableMaker) -> TableMaker:
        _makers[name] = function
        return function

    return register


def table_names() -> list[str]:
    """All tables; each is a module of `weir.export.tables` called like it."""
    found = (module.name for module in pkgutil.iter_modules(package.__path__))
    return sorted(name for name in found if not name.startswith("_"))


def find_table(name: str) -> TableMaker:
    """The function that makes the table. Raises WeirError if there is none of that name."""
    if name not in table_names():
        raise WeirError(f"there is no table '{name}'", "", f"use one of: {', '.join(table_names())}")
    importlib.import_module(f"{package.__name__}.{name}")
    return _makers[name]


@functools.cache
def scalars(struct: type) -> tuple[Column, ...]:
    """A column for each field of a record that is a single value, named like it."""
    return tuple(_scalars(struct))


def _scalars(struct: type) -> Iterator[Column]:
    for name, hint in typing.get_type_hints(struct).items():
        parts = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
        wanted = {part for part in parts if part is not types.NoneType}
        if len(wanted) == 1 and (one := wanted.pop()) in (str, int, float, bool):
            yield Column(name, Kind(one))


def joined(parts: Iterable[str]) -> str:
    """Several words in one cell."""
    return "; ".join(parts)
