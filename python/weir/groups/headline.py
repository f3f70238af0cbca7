"""What a person wants to know first of an application that tells its parts: each, of its best case."""

from collections.abc import Mapping

from weir.groups.run_phases import PARTS, TOTAL, cases_with_numbers
from weir.report.headline import Headline, headline
from weir.results.row import Row, median_of


@headline(50)
class PhasesHeadline(Headline):
    """The total, then the parts; without what only waits."""

    of_applications = True

    def takes(self, row: Row) -> bool:
        """Any of an application: results() sees whether it tells its parts."""
        return row.application

    def results(self, rows: list[Row]) -> Mapping[str, Row] | None:
        """Null where no case tells them."""
        cases = cases_with_numbers(rows)
        if not cases:
            return None
        known = [case for case in cases if case.judged.low is not None] or cases
        best = min(known, key=lambda case: median_of(case.judged))
        analytic = (TOTAL, "solve") if best.is_analytic else ()
        return {part: best.parts[part] for part in (TOTAL, *PARTS) if part not in analytic}
