"""What a person wants to know first of patterns that were carried out: each of their phases."""

from collections.abc import Mapping
from pathlib import PurePath

from weir.results.row import Row
from weir.results.words import capital, join_words, measured_words, phase_words
from weir.units import count_words

MOST_TOLD = 3
MOST_SHOWN = 8


def carries_out_pattern(row: Row) -> bool:
    """Whether its case did so in place of the benchmark's own accesses."""
    return bool(row.options.get("pattern"))


def pattern_results(rows: list[Row]) -> dict[str, Row]:
    """Rows that have a number, by their labels: phases in order, of several patterns with their names."""
    several = len({row.case for row in rows}) > 1
    found: dict[str, Row] = {}
    for row in rows:
        prefix = f"{PurePath(str(row.options['pattern'])).stem}: " if several else ""
        found.setdefault(capital(prefix + phase_words(row)), row)
    return found


def pattern_words(results: Mapping[str, Row], place: str) -> str:
    """One sentence."""
    rows = list(results.values())
    told = [f"{measured_words(row)} in {row.phase}" for row in rows[:MOST_TOLD]]
    if len(rows) > MOST_TOLD:
        told.append(count_words(len(rows) - MOST_TOLD, "other result"))
    cases = len({row.case for row in rows})
    who = "The pattern gets" if cases == 1 else f"{cases} patterns get"
    caches = "excluded" if all(row.honest for row in rows) else "included"
    return f"{who} {join_words(told)} in {place}, cache effects {caches}."
