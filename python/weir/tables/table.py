"""What a table is, and the list of all tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from weir.errors import WeirError
from weir.registry import Registry
from weir.results.printed import Printed, as_printed
from weir.results.row import Row
from weir.units import parse_bytes

MARK = "*"
"""Of what differs from what was published."""
SIZES = "a column for each size of a request"


@dataclass(frozen=True)
class Column:
    """A column; neighbours with the same `group` stand below its name. The first one is set to the
    left, all others to the right."""

    heading: str
    group: str = ""


@dataclass(frozen=True)
class Table:
    """A table in words, its units in its headings, and the same as plain numbers in `data`, in the unit that
    a key ends in. `caption` says what ran, and what the numbers are."""

    name: str
    title: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    data: Mapping[str, Any]

    @property
    def groups(self) -> list[tuple[str, int]]:
        """Groups of columns in their order, each with its number of columns."""
        found: list[tuple[str, int]] = []
        for column in self.columns:
            if found and found[-1][0] == column.group:
                found[-1] = (column.group, found[-1][1] + 1)
            else:
                found.append((column.group, 1))
        return found


Tabulate = Callable[[Row], Table | None]
TabulateAll = Callable[[Sequence[Row]], Table | None]


@dataclass(frozen=True)
class Kind:
    """A kind of table: what makes it of the rows of a comparison, and the columns that a printed one must
    have. `of_all`: one table compares all rows."""

    make: Callable[[Sequence[Row]], list[Table]]
    printed_columns: tuple[str, ...]
    of_all: bool = False


_kinds = Registry[Kind]("tables", "table")


def table(name: str, printed_columns: Sequence[str]) -> Callable[[Tabulate], Tabulate]:
    """Registers a table under the name that studies use; SIZES among its printed columns stands for one or
    more.

    The function gets a row of a comparison that asks for it, and returns null where the row has nothing for
    it.
    """

    def register(function: Tabulate) -> Tabulate:
        _kinds.register(name)(Kind(partial(_one_a_row, function), tuple(printed_columns)))
        return function

    return register


def table_of_all(name: str, printed_columns: Sequence[str]) -> Callable[[TabulateAll], TabulateAll]:
    """The same for a table that compares cases: the function gets all rows of a comparison."""

    def register(function: TabulateAll) -> TabulateAll:
        _kinds.register(name)(Kind(partial(_one_of_all, function), tuple(printed_columns), of_all=True))
        return function

    return register


def _one_a_row(function: Tabulate, rows: Sequence[Row]) -> list[Table]:
    return [made for row in rows if (made := function(row)) is not None]


def _one_of_all(function: TabulateAll, rows: Sequence[Row]) -> list[Table]:
    made = function(rows)
    return [] if made is None else [made]


def make_tables(name: str, rows: Sequence[Row]) -> list[Table]:
    """The tables of that kind that the rows have something for."""
    return kind_of(name).make(rows)


kind_of = _kinds.find


def check_printed(name: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Raises WeirError for a printed table without the columns of its kind, or with a row that does not fit
    them."""
    wanted = kind_of(name).printed_columns
    plain = [column for column in columns if not (SIZES in wanted and _is_size(column))]
    if plain != [column for column in wanted if column != SIZES]:
        raise WeirError(
            f"a printed table '{name}' cannot have the columns {', '.join(columns)}",
            f"it takes {', '.join(wanted)}",
            'a size is written as "24B" or "128KiB"' if SIZES in wanted else "",
        )
    for row in rows:
        numbers = all(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in row[1:])
        if len(row) != len(columns) or not isinstance(row[0], str) or not numbers:
            raise WeirError(
                f"the row {list(row)} does not fit the columns {', '.join(columns)}",
                "a row is a name and a number for every other column",
                "",
            )


def _is_size(column: str) -> bool:
    try:
        return parse_bytes(column) >= 0
    except WeirError:
        return False


def printed_cell(value: float | None) -> str:
    """A published number as it was printed."""
    return "none" if value is None else as_printed(value)


def printed_notes(published: Sequence[Printed]) -> list[str]:
    """The notes of published tables, each with its machine."""
    return [f"{printed.machine}, {note}" for printed in published for note in printed.notes]
