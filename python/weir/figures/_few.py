"""No more curves than there are colours to tell them apart."""

from __future__ import annotations

from weir.counts import count_words
from weir.figures._theme import LIGHT_SERIES
from weir.findings.row import Row

MOST = len(LIGHT_SERIES)


def fewest(rows: list[Row]) -> tuple[list[Row], str]:
    """The rows of one direction to draw: all, or of too many those with most ranks, at most MOST; and a
    sentence that says what is missing."""
    if len(rows) <= MOST:
        return rows, ""
    most = max(row.ranks for row in rows)
    shown = [row for row in rows if row.ranks == most][:MOST]
    count = count_words(len(rows), "case")
    return shown, f"Drawn are {len(shown)} of {count}, those with {count_words(most, 'rank')}."
