"""A finding: what rows say about one question, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from weir.counts import count_words
from weir.findings.ratio import alike
from weir.findings.row import Row, measured
from weir.findings.words import phase_words


@dataclass(frozen=True)
class Finding:
    """`title` states what was found in one line; `sentences` give the numbers; `care` says what was done
    about caches; `details` are numbers of all cases, for who wants them.
    """

    title: str
    sentences: tuple[str, ...]
    care: str
    details: tuple[str, ...] = ()


Judge = Callable[[list[Row], Mapping[str, Any]], Finding | None]


def curves(rows: list[Row], axis: str) -> list[list[Row]]:
    """Rows that differ in nothing but `axis` (an option, or "ranks"), the longest and most honest curves
    first.
    """
    groups: dict[str, list[Row]] = {}
    for row in measured(rows):
        if not row.metric.greater_is_better:
            continue  # a curve is read upwards
        groups.setdefault(alike(row, {axis}), []).append(row)
    return sorted(groups.values(), key=lambda group: (-len(group), -sum(row.honest for row in group)))


def main_curve(rows: list[Row], axis: str, direction: str) -> list[Row]:
    """The curve to speak of for a direction; empty if there is none."""
    found = curves([row for row in rows if row.direction == direction], axis)
    return found[0] if found else []


def capital(text: str) -> str:
    """The text with its first letter in upper case and the rest as it is."""
    return text[:1].upper() + text[1:]


def care_words(rows: list[Row]) -> str:
    """What was done about syncs and caches, and which reads are not to be believed."""
    moving = [row for row in measured(rows) if row.moves and not row.application]
    ways = sorted({phase_words(row) for row in moving}, reverse=True)
    words = f"Syncs and caches: {'; '.join(ways)}." if ways else ""
    reads = [row for row in moving if row.moves == "read"]
    suspects = [row for row in reads if row.suspect]
    if suspects:
        why = next((row.suspect_why for row in suspects if row.suspect_why), None)
        words += (
            f" {len(suspects)} of {count_words(len(reads), 'read')} came from memory and not from the device"
        )
        words += f" ({why})." if why else "."
    unknown = sum(row.suspect is None for row in reads)
    if unknown:
        words += (
            f" For {unknown} of {count_words(len(reads), 'read')} it cannot be told where the data came from."
        )
    return words
