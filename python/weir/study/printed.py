"""Checks the figures and tables of a study: those that it asks for, and those that others printed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from weir.errors import WeirError
from weir.figures.drawing import names
from weir.findings.claims.of_study import figures_of
from weir.findings.printed import tables_of
from weir.study.schema import ComparisonSection
from weir.study.source import KeyPath, Source
from weir.study.suggest import did_you_mean
from weir.tables.table import check_printed, kind_of


def check_figures(source: Source, place: KeyPath, comparison: ComparisonSection) -> None:
    """Raises WeirError, with the line, for a figure that there is not."""
    known = names()
    for name in figures_of(msgspec.to_builtins(comparison)):
        if name not in known:
            raise source.error(
                (*place, "figure"),
                f"there is no figure '{name}'",
                f"known are {', '.join(known)}",
                did_you_mean(name, known),
            )


def check_tables(source: Source, place: KeyPath, comparison: ComparisonSection) -> None:
    """Raises WeirError, with the line, for a table that there is not, or that cannot be shown."""
    asked = tables_of(msgspec.to_builtins(comparison))
    for name in asked:
        with _placed(source, (*place, "table")):
            kind_of(name)
    if asked and comparison.figure is None:
        raise source.error(
            (*place, "table"),
            f"a table of '{comparison.name}' can be shown nowhere",
            "the comparison names no figure",
            'write for example figure = "io-time"',
        )
    for index, printed in enumerate(comparison.printed):
        at = (*place, "printed", index)
        if printed.table not in asked:
            raise source.error(
                (*at, "table"),
                f"the printed table '{printed.table}' stands beside none of this run",
                f"comparison '{comparison.name}' does not ask for it",
                f'write table = "{printed.table}" in the comparison',
            )
        with _placed(source, (*at, "rows")):
            check_printed(printed.table, printed.columns, printed.rows)


@contextmanager
def _placed(source: Source, place: KeyPath) -> Iterator[None]:
    try:
        yield
    except WeirError as error:
        raise source.placed(place, error) from error
