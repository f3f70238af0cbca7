"""What a person wants to know first of patterns that were carried out: each of their phases."""

from pathlib import PurePath

from weir.results.row import Row
from weir.results.words import capital, phase_words


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
