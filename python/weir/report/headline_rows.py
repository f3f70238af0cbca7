"""The rows that speak for a run, by their labels: a case that was fixed before anything was measured, and not
the best of many, which would be that of the luckiest moment, or the most flattered by caches."""

from weir.report.hpcc_headline import hpcc_results
from weir.report.network_headline import network_results
from weir.report.pattern_headline import carries_out_pattern, pattern_results
from weir.results.network_rows import BENCHMARK as NETWORK
from weir.results.row import Row, directions, measured, median_of
from weir.results.run_phases import PARTS, TOTAL, cases_with_numbers
from weir.results.words import capital
from weir.study.patterns import IMITATION

DIRECTIONS = ("write", "read")
WRITE = "Write"
"""The label of what is written."""


def headline_rows(rows: list[Row]) -> dict[str, Row | None]:
    """By label, in their order; null where a direction was measured and none of its numbers is the storage's.
    Applications stand after benchmarks."""
    own = [row for row in rows if IMITATION not in row.options]
    tests, network = hpcc_results(own), network_results(own)
    known = {NETWORK, *(row.benchmark for row in tests.values())}
    benchmarks = [row for row in own if not row.application and not carries_out_pattern(row)]
    found: dict[str, Row | None] = {}
    found |= _of_machine([row for row in benchmarks if row.benchmark not in known])
    found |= tests
    found |= pattern_results(measured([row for row in own if carries_out_pattern(row)]))
    found |= network
    applications = dict.fromkeys(row.benchmark for row in own if row.application)
    for name in applications:
        prefix = f"{name}: " if len({row.benchmark for row in own}) > 1 else ""
        of_it = _of_application([row for row in own if row.application and row.benchmark == name])
        found |= {capital(f"{prefix}{phase}"): row for phase, row in of_it.items()}
    return found


def _of_machine(rows: list[Row]) -> dict[str, Row | None]:
    """Bandwidths of files and, beside them, rates; of a benchmark without either, its times."""
    moving = [row for row in rows if row.moves]
    rates = first_rates(rows)
    found: dict[str, Row | None] = {}
    for name in DIRECTIONS:
        if any(row.phase == name for row in measured(moving)):
            found[capital(name)] = named_row(moving, name)
    return found | {capital(name): best_row(rates, name) for name in directions(rates)}


def named_row(rows: list[Row], direction: str) -> Row | None:
    """Of the honest rows the one with most data, of several the study's first."""
    honest = [row for row in measured(rows) if row.honest and row.phase == direction]
    return max(honest, key=lambda row: row.data_bytes or 0, default=None)


def first_rates(rows: list[Row]) -> list[Row]:
    """What is no bandwidth of files, of the study's first comparison that has any: what later ones vary is
    for their figures. Requests of no bytes say what a call costs, and nothing of a storage."""
    others = [row for row in measured(rows) if not row.moves and row.options.get("transfer") != 0]
    # Next to a bandwidth, a time would say the same again.
    rates = (
        [row for row in others if row.metric.greater_is_better]
        if any(row.moves for row in measured(rows))
        else others
    )
    return [row for row in rates if set(row.comparisons[:1]) >= set(rates[0].comparisons[:1])]


def best_row(rows: list[Row], direction: str) -> Row | None:
    """The honest row with the best median, or an application's; one without interval only for want of
    others."""
    honest = [row for row in measured(rows) if (row.honest or row.application) and row.phase == direction]
    known = [row for row in honest if row.low is not None]
    return max(known or honest, key=_goodness, default=None)


def _goodness(row: Row) -> float:
    return median_of(row) if row.metric.greater_is_better else -median_of(row)


def _of_application(rows: list[Row]) -> dict[str, Row]:
    """What it got of storage; of one that had no files, its time; of one that tells its parts, these."""
    if cases := cases_with_numbers(rows):
        known = [case for case in cases if case.judged.low is not None] or cases
        best = min(known, key=lambda case: median_of(case.judged))
        analytic = (TOTAL, "solve") if best.is_analytic else ()
        return {part: best.parts[part] for part in (TOTAL, *PARTS) if part not in analytic}
    moving = {phase: row for phase in DIRECTIONS if (row := best_row(rows, phase))}
    return moving or {phase: row for phase in directions(rows) if (row := best_row(rows, phase))}
