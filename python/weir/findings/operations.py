"""What each operation on files costs: their rates beside each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weir.findings.against import judge_layout, ratio_words
from weir.findings.finding import Finding, capital
from weir.findings.option import label_by
from weir.findings.quantity import measured_words, times_words
from weir.findings.ratio import compare
from weir.findings.row import Row, directions, measured, median_of

CARE = (
    "Rates of all ranks together. What was created a moment before is still in the caches of the file "
    "system: stat and open seldom ask the device."
)


def rates_of(rows: list[Row]) -> list[Row]:
    """Rows whose number is a rate of operations."""
    return [row for row in measured(rows) if row.metric.unit == "1/s" and row.metric.greater_is_better]


def judge_operations(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """The slowest and the fastest operation, and what the layout of directories makes of each; null without
    rates."""
    found = rates_of(rows)
    if not found:
        return None
    name = label_by(found, {"phase"})
    sentences = []
    for phase in directions(found):
        parts = [f"{name(row)} {measured_words(row)}".strip() for row in found if row.direction == phase]
        sentences.append(f"{capital(phase)}: {'; '.join(parts)}.")
    slow, fast = _extremes(found)
    ratio = compare(fast, slow)
    if ratio is not None and slow is not fast:
        sentences.append(
            f"{capital(fast.phase)} against {slow.phase}, each at its best: {ratio_words(ratio)}."
        )
    between = judge_layout(found, card)
    return Finding(_title(slow, fast), (*sentences, *(between.sentences if between else ())), CARE)


def _extremes(rows: list[Row]) -> tuple[Row, Row]:
    """The slowest and the fastest operation, each in its best case."""
    best = [max((row for row in rows if row.direction == phase), key=median_of) for phase in directions(rows)]
    return min(best, key=median_of), max(best, key=median_of)


def _title(slow: Row, fast: Row) -> str:
    """By how much the fastest operation outdoes the slowest."""
    ratio = compare(fast, slow)
    if ratio is None or slow is fast:
        return f"{capital(slow.phase)} does {measured_words(slow)}"
    if ratio.different:
        at = f"at {measured_words(slow)}"
        return (
            f"{capital(slow.phase)} is the slowest, {at}; {fast.phase} is {times_words(ratio.ratio)} as fast"
        )
    why = "too few samples" if ratio.different is None else "too much noise"
    return f"{capital(slow.phase)} seems the slowest and {fast.phase} the fastest; {why} to tell by how much"
