"""A run's tables, in lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weir.cli._run.wrap import wrapped
from weir.tables.table import Table

MARGIN = "  "
GAP = "  "


def table_lines(table: Table) -> Iterator[str]:
    """Title, caption, headings below the names of their groups, rows, notes."""
    yield from wrapped(table.title, MARGIN, MARGIN)
    yield from wrapped(table.caption, MARGIN, MARGIN)
    widths = _widths(table)
    if any(name for name, _ in table.groups):
        yield _line(_over_groups(table, widths))
    headings = [column.heading for column in table.columns]
    yield _line(_cells(headings, widths))
    yield _line(["-" * width for width in widths])
    yield from (_line(_cells(row, widths)) for row in table.rows)
    for note in table.notes:
        yield from wrapped(note, MARGIN, MARGIN)


def _widths(table: Table) -> list[int]:
    """Wide enough for every cell and heading, and together for the names of groups."""
    headings = [column.heading for column in table.columns]
    widths = [max(map(len, column)) for column in zip(headings, *table.rows, strict=True)]
    at = 0
    for name, count in table.groups:
        missing = len(name) - len(GAP.join("x" * width for width in widths[at : at + count]))
        widths[at + count - 1] += max(0, missing)
        at += count
    return widths


def _over_groups(table: Table, widths: Sequence[int]) -> list[str]:
    at, parts = 0, []
    for name, count in table.groups:
        width = len(GAP.join("x" * width for width in widths[at : at + count]))
        parts.append(name.rjust(width) if count == 1 else name.center(width))
        at += count
    return parts


def _cells(texts: Sequence[str], widths: Sequence[int]) -> list[str]:
    """The first to the left, numbers to the right."""
    return [
        text.rjust(width) if at else text.ljust(width)
        for at, (text, width) in enumerate(zip(texts, widths, strict=True))
    ]


def _line(parts: Sequence[str]) -> str:
    return (MARGIN + GAP.join(parts)).rstrip()
