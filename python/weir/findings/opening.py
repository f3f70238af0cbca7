"""Opening one common file by all ranks: each by itself, together, or by one for all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weir.counts import count_words
from weir.findings.against import judge_ways
from weir.findings.finding import Finding, capital
from weir.findings.quantity import measured_words
from weir.findings.row import Row, measured
from weir.findings.words import join_words, opening_words

OPTIONS = frozenset({"opening", "interface", "hint", "mpi_io", "env"})
CARE = (
    "Opens and closes of all ranks together, a second. How many ranks really held the file open is what the "
    "kernel shows of them."
)


def openings(rows: list[Row]) -> list[Row]:
    """The opens of a common file, by their way and their number of ranks."""
    found = [row for row in measured(rows) if row.phase == "open" and row.options.get("opening")]
    return sorted(found, key=lambda row: (opening_words(row), row.ranks))


def judge_opening(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """Every other way against every rank opening it by itself through POSIX, and who really opened."""
    found = openings(rows)
    finding = judge_ways(
        found,
        OPTIONS,
        opening_words,
        lambda row: row.options.get("opening") == "independent" and row.options.get("interface") == "posix",
    )
    if finding is None:
        return None
    return Finding(finding.title, (*_rates(found), *_holders(found)), CARE, finding.sentences)


def _rates(rows: list[Row]) -> list[str]:
    """A sentence a way: what it does with the most ranks."""
    most = max(row.ranks for row in rows)
    parts = [f"{opening_words(row)}: {measured_words(row)}" for row in rows if row.ranks == most]
    return [f"With {count_words(most, 'rank')}: {'; '.join(parts)}."]


def _holders(rows: list[Row]) -> list[str]:
    """Ways by the most ranks that really held the file open in any sample, with the most ranks."""
    most = max(row.ranks for row in rows)
    by_count: dict[int, list[str]] = {}
    for row in rows:
        held = [count for one in row.records if (count := one.details.get("opened_by_ranks")) is not None]
        if row.ranks == most and held:
            by_count.setdefault(max(held), []).append(opening_words(row))
    return [
        capital(f"really opened by {held} of {count_words(most, 'rank')}: {join_words(ways)}.")
        for held, ways in sorted(by_count.items())
    ]
