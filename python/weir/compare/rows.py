"""The rows of a comparison as a table and as data."""

import statistics
from collections.abc import Callable
from typing import Any

from weir.answers.quantities import quantity_from, quantity_of
from weir.answers.words import exact_words, quantity_words
from weir.compare.comparison import Compared, Comparison
from weir.compare.first_screen import facts_that_differ, model_values_that_differ, ratio_of
from weir.compare.matching import Samples
from weir.compare.naming import name_by_label, name_rows
from weir.compare.printed_rows import printed_words
from weir.compare.standings import Standing, Verdict
from weir.results.row import Row
from weir.results.row_data import metrics_data
from weir.units import count_words

ORDER = (Verdict.WORSE, Verdict.BETTER, Verdict.OPEN, Verdict.OTHER, Verdict.SAME)
"""Of a table: what a person looks for first."""


def sorted_rows(one: Compared) -> list[Standing]:
    """By verdict; of each the rows that are farthest apart first."""

    def place(standing: Standing) -> tuple[int, float]:
        found = standing.apart
        return ORDER.index(standing.verdict), -max(found.ratio, 1 / found.ratio) if found else 0.0

    return sorted(one.standings, key=place)


def row_cells(standing: Standing, name: Callable[[Standing], str]) -> tuple[str, ...]:
    """What it is of, the verdict, the ratio, the reference's value, the side's, and a remark."""
    ratio = ratio_of(standing)
    return (
        name(standing),
        str(standing.verdict),
        exact_words(ratio) if ratio else "no ratio: a bound" if standing.pair.is_bound else "no ratio: 0",
        _value_words(standing.pair.other, standing.pair.others),
        _value_words(standing.pair.one, standing.pair.ones),
        "; ".join(f"{mine}, not {yours}" for mine, yours in standing.pair.differs),
    )


def _value_words(row: Row, runs: Samples) -> str:
    """ "1870 MiB/s ±12 % (n = 12)"; of several runs that of their medians; of a printed number where it
    stands, and of whom of how many ranks."""
    if row.place:
        ranks = f"{count_words(row.ranks, 'rank')}, " if row.ranks else ""
        return f"{printed_words(row)} ({ranks}n = 1, printed: {row.place})"
    if len(runs) > 1:
        value = quantity_from(row.metric, [statistics.median(samples) for samples in runs])
        return f"{quantity_words(value)} (n = {count_words(value.n, 'run')})"
    value = quantity_of(row)
    return f"{quantity_words(value)} ({f'n = {value.n}' if value.n else 'simulated'})"


def table_rows(one: Compared) -> list[tuple[str, ...]]:
    """The cells of all rows, sorted."""
    name = name_rows(one)
    return [row_cells(standing, name) for standing in sorted_rows(one)]


def alone_rows(one: Compared) -> list[tuple[str, str]]:
    """Rows that one side alone has, and which."""
    name = name_by_label([*one.matched.only_other, *one.matched.only_one])
    sides = zip(one.names, (one.matched.only_other, one.matched.only_one), strict=True)
    return [(name(row), side) for side, rows in sides for row in rows]


def headings(one: Compared) -> tuple[str, ...]:
    """Those of row_cells()."""
    return ("~row", "verdict", "times as good", f"~{one.names[0]}", f"~{one.names[1]}", "~differs in")


def comparison_data(comparison: Comparison) -> dict[str, Any]:
    """All of it for `--json`."""
    return {
        "verdict": str(comparison.verdict),
        "matters": comparison.rules.matters,
        "assumed_deviation": comparison.rules.assumed,
        "compared": [_compared_data(one) for one in comparison.compared],
    }


def _compared_data(one: Compared) -> dict[str, Any]:
    name = name_rows(one)
    return {
        "reference": one.names[0],
        "side": one.names[1],
        "runs": [len(one.reference.runs), len(one.side.runs)],
        "in_turns": one.turns,
        "verdict": str(one.verdict),
        "counts": {str(verdict): one.counts[verdict] for verdict in Verdict},
        "rows": [_row_data(standing, name) for standing in one.standings],
        "only_reference": [_alone(row) for row in one.matched.only_other],
        "only_side": [_alone(row) for row in one.matched.only_one],
        "machine": [
            {"fact": label, "reference": mine or None, "side": yours or None}
            for label, mine, yours in facts_that_differ(one)
        ],
        "model": [
            {"key": key, "reference": mine, "side": yours}
            for key, mine, yours in model_values_that_differ(one)
        ],
    }


def _row_data(standing: Standing, name: Callable[[Standing], str]) -> dict[str, Any]:
    found, pair = standing.apart, standing.pair
    return {
        "row": name(standing),
        "phase": pair.one.phase,
        "cases": [pair.other.case, pair.one.case],
        "verdict": str(standing.verdict),
        "ratio": found.ratio if found else None,
        "low": found.low if found else None,
        "high": found.high if found else None,
        "unit": "times as fast" if _of_times(standing) else "times",
        "reference": metrics_data(pair.other)[0],
        "side": metrics_data(pair.one)[0],
        "medians_of_runs": [[statistics.median(run) for run in runs] for runs in (pair.others, pair.ones)],
        "differs": [list(words) for words in pair.differs],
        "cached": [row.suspect for row in (pair.other, pair.one)],
        "printed": [row.place or None for row in (pair.other, pair.one)],
    }


def _of_times(standing: Standing) -> bool:
    ratio = ratio_of(standing)
    return bool(ratio and ratio.unit != "times")


def _alone(row: Any) -> dict[str, Any]:
    return {"case": row.case, "phase": row.phase, "label": row.label}
