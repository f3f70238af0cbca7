"""The table of all cases: a column for each setting in which they differ, a sentence for what they share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from weir.findings.row import Row
from weir.findings.words import (
    data_words,
    interface_words,
    join_words,
    layout_words,
    method_words,
    opening_words,
    way_words,
)
from weir.units import format_bytes


@dataclass(frozen=True)
class Column:
    """A setting: its heading, the option that a row must have, its words, and the options that they tell."""

    heading: str
    option: str
    words: Callable[[Row], str]
    tells: frozenset[str]
    is_number: bool = False

    def cell(self, row: Row) -> str:
        """The words for a row; empty where it has no such setting."""
        return self.words(row) if row.options.get(self.option) is not None else ""

    def shared(self, row: Row) -> str:
        """The same where it stands alone in a sentence."""
        cell = self.cell(row)
        return f"{cell} {self.heading}" if self.is_number and cell else cell


def _column(heading: str, option: str, words: Callable[[Row], str], *tells: str) -> Column:
    return Column(heading, option, words, frozenset({option, *tells}))


SETTINGS = (
    _column("layout", "layout", layout_words),
    _column("back-end", "backend", way_words, "collective", "file_view", "mpi_io"),
    _column("interface", "interface", interface_words, "mpi_io"),
    _column("opening", "opening", opening_words, "interface", "mpi_io"),
    _column("method", "method", method_words),
    Column(
        "transfers",
        "transfer",
        lambda row: format_bytes(row.options["transfer"]),
        frozenset({"transfer"}),
        is_number=True,
    ),
)


@dataclass(frozen=True)
class Columns:
    """The settings that get a column, and those that all rows share, in words."""

    shown: tuple[Column, ...]
    shared: str
    data: bool
    """Whether any row says how much data it moved."""

    @property
    def told(self) -> set[str]:
        """The options that the table and the sentence tell."""
        return set().union(*(column.tells for column in SETTINGS))

    def cells(self, row: Row) -> tuple[str, ...]:
        """The cells of a row."""
        return tuple(column.cell(row) for column in self.shown)


def columns_of(rows: list[Row]) -> Columns:
    """What the table of these rows shows."""
    values = {column.heading: {column.cell(row) for row in rows} for column in SETTINGS}
    same = [column.shared(rows[0]) for column in SETTINGS if rows and len(values[column.heading]) == 1]
    words = join_words(filter(None, same))
    return Columns(
        shown=tuple(column for column in SETTINGS if len(values[column.heading]) > 1),
        shared=f"All cases: {words}." if words else "",
        data=any(row.data_bytes for row in rows),
    )


def data_cell(row: Row) -> str:
    """How much data a phase moved; empty where that is no question."""
    return "" if row.data_bytes is None else data_words(row)
