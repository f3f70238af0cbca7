"""No more curves than there are colours to tell them apart, and room for their names."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from weir.counts import count_words
from weir.figures._theme import LIGHT_SERIES
from weir.findings.row import Row

MOST = len(LIGHT_SERIES)
LONG = 30
"""Letters of a name that has room beside another one in half a page."""


def legend_of(names: Collection[str]) -> dict[str, Any]:
    """A legend without title, in one column where two have no room."""
    return {"title": None} | ({"columns": 1} if any(len(name) > LONG for name in names) else {})


def fewest(rows: list[Row]) -> tuple[list[Row], str]:
    """The rows of one direction to draw: all, or of too many those with most ranks, at most MOST; and a
    sentence that says what is missing."""
    if len(rows) <= MOST:
        return rows, ""
    most = max(row.ranks for row in rows)
    shown = [row for row in rows if row.ranks == most][:MOST]
    count = count_words(len(rows), "case")
    return shown, f"Drawn are {len(shown)} of {count}, those with {count_words(most, 'rank')}."
