"""Rows as the data of a spec: numbers in the shown unit of their metric, and all that a tooltip says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weir.findings.option import label_by
from weir.findings.quantity import interval_words
from weir.findings.row import Row, median_of
from weir.findings.words import data_words, phase_words, setting_words

PRECISE, INCONCLUSIVE, SUSPECT = "precise", "inconclusive", "from the cache, not the device"
STATES = (PRECISE, INCONCLUSIVE, SUSPECT)
SHAPES = ("circle", "circle", "diamond")


def state(row: Row) -> str:
    """How far the number of a row may be believed; suspicion weighs more than noise."""
    if row.suspect:
        return SUSPECT
    return INCONCLUSIVE if row.inconclusive else PRECISE


def name_curves(rows: list[Row], along: str) -> Callable[[Row], str]:
    """Names curves by their phase and by what else varies beside `along`."""
    others = label_by(rows, {along})
    return lambda row: ", ".join(filter(None, [phase_words(row), others(row)]))


def datum(row: Row, **places: Any) -> dict[str, Any]:
    """One row as data; `places` are the fields that say where it is drawn."""
    return {
        **places,
        "median": _shown(row, row.median),
        "low": _shown(row, row.low),
        "high": _shown(row, row.high),
        "state": state(row),
        "what": phase_words(row),
        "where": setting_words(row),
        "data": data_words(row),
        "measured": interval_words(row),
        "n": row.n,
        "flags": ", ".join(row.flags) or "none",
    }


TOOLTIP = [
    {"field": "what", "title": "phase"},
    {"field": "where", "title": "with"},
    {"field": "data", "title": "data moved"},
    {"field": "measured", "title": "median [95 % interval]"},
    {"field": "n", "title": "samples"},
    {"field": "flags", "title": "flags"},
]


def bounds(rows: list[Row]) -> tuple[float, float]:
    """Smallest and largest number drawn, intervals included, in the shown unit; the rows have numbers."""
    lows = [row.low if row.low is not None else median_of(row) for row in rows]
    highs = [row.high if row.high is not None else median_of(row) for row in rows]
    scale = rows[0].metric.scale
    return min(lows) / scale, max(highs) / scale


def _shown(row: Row, value: float | None) -> float | None:
    return None if value is None else float(f"{value / row.metric.scale:.5g}")
