"""How an application's arrays get into its files: methods against all through rank 0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weir.findings.against import judge_ways
from weir.findings.finding import Finding
from weir.findings.row import Row
from weir.findings.words import method_words

REFERENCE = "rank0"


def by_method(rows: list[Row]) -> list[Row]:
    """Writes and reads of rows whose case has a method of the two-phase library."""
    return [row for row in rows if row.moves and method_words(row)]


def judge_method(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """Every other method against rank 0's; null where one of them is missing."""
    return judge_ways(
        by_method(rows), {"method"}, method_words, lambda row: row.options.get("method") == REFERENCE
    )
