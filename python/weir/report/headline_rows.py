"""The rows that speak for a run, by their labels: a case that was fixed before anything was measured, and not
the best of many, which would be that of the luckiest moment, or the most flattered by caches."""

from collections.abc import Mapping

from weir.report.headline import headlines
from weir.results.row import Row, directions, measured, median_of
from weir.results.words import capital
from weir.study.patterns import IMITATION

DIRECTIONS = ("write", "read")
WRITE = "Write"
"""The label of what is written."""


def headline_rows(rows: list[Row]) -> dict[str, Row | None]:
    """By label, in their order; null where a direction was measured and none of its numbers is the storage's.
    Applications stand after benchmarks. What was measured on a node by itself speaks for that node alone."""
    own = [row for row in rows if IMITATION not in row.options and row.node is None]
    left = [row for row in own if not row.application]
    named: dict[str, Row | None] = {}
    for benchmark in dict.fromkeys(row.benchmark for row in left if row.metric.first_screen):
        placed = _placed([row for row in measured(left) if row.benchmark == benchmark])
        left = [row for row in left if not placed or row.benchmark != benchmark]
        named |= placed
    for kind in headlines():
        mine = [] if kind.of_applications else [row for row in left if kind.takes(row)]
        results = kind.results(mine) if mine else None
        if results is not None:
            left = [row for row in left if not kind.takes(row)]
            named |= results
    return _of_machine(left) | named | _of_applications(own)


def _placed(rows: list[Row]) -> dict[str, Row]:
    """Of a benchmark whose metrics say that they stand here: those of its last case with the most ranks."""
    most = max((row.ranks for row in rows), default=0)
    case = next((row.case for row in reversed(rows) if row.ranks == most), None)
    shown = [(where, row) for row in rows if row.case == case and (where := row.metric.first_screen)]
    return {where.label: row for where, row in sorted(shown, key=lambda one: one[0].place)}


def _of_applications(own: list[Row]) -> dict[str, Row]:
    """With their names where others were measured too."""
    found: dict[str, Row] = {}
    for name in dict.fromkeys(row.benchmark for row in own if row.application):
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


def _of_application(rows: list[Row]) -> Mapping[str, Row]:
    """What it got of storage; of one that had no files, its time; of one that tells its parts, these."""
    kinds = [kind for kind in headlines() if kind.of_applications]
    told = next((found for kind in kinds if (found := kind.results(rows)) is not None), None)
    if told is not None:
        return told
    moving = {phase: row for phase in DIRECTIONS if (row := best_row(rows, phase))}
    return moving or {phase: row for phase in directions(rows) if (row := best_row(rows, phase))}
