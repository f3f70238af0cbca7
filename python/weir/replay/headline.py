"""What a person wants to know first of patterns that were carried out: each of their phases."""

from collections.abc import Mapping
from pathlib import PurePath

from weir.report.headline import Headline, headline
from weir.results.row import Row, measured
from weir.results.words import capital, phase_words


@headline(30)
class PatternHeadline(Headline):
    """Phases in order, of several patterns with their names."""

    def takes(self, row: Row) -> bool:
        """Whether its case carried one out in place of the benchmark's own accesses."""
        return bool(row.options.get("pattern"))

    def results(self, rows: list[Row]) -> Mapping[str, Row] | None:
        """Those that have a number."""
        several = len({row.case for row in measured(rows)}) > 1
        found: dict[str, Row] = {}
        for row in measured(rows):
            prefix = f"{PurePath(str(row.options['pattern'])).stem}: " if several else ""
            found.setdefault(capital(prefix + phase_words(row)), row)
        return found
