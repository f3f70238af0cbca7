"""How long requests take: the distribution of their durations."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import Any

from weir.analyse.latency import PooledLatency
from weir.figures._few import fewest
from weir.figures._step_lines import step_lines
from weir.figures.drawing import Card, Drawing, Panel, Spec, figure
from weir.findings.latency import case_name, judge_latency, percentile_words
from weir.findings.row import Row, directions, measured

HEIGHT = 260
BINS_A_DECADE = 10
SECONDS_LABEL = (
    "datum.value >= 1 ? format(datum.value, '~r') + ' s'"
    " : datum.value >= 1e-3 ? format(datum.value * 1e3, '~r') + ' ms'"
    " : datum.value >= 1e-6 ? format(datum.value * 1e6, '~r') + ' µs'"
    " : format(datum.value * 1e9, '~r') + ' ns'"
)


@figure("latency")
def latency(rows: list[Row], card: Card) -> Drawing | None:
    """A panel a direction: the share of requests in each tenth of a decade of duration, a curve a case."""
    finding = judge_latency(rows, card)
    if finding is None:
        return None
    found = [row for row in measured(rows) if row.detail.latencies]
    panels, missing = [], ""
    for direction in directions(found):
        part, missing = fewest([row for row in found if row.direction == direction])
        panels.append(Panel(f"{direction}s".capitalize(), _panel(part, found)))
    care = " ".join(filter(None, [missing, finding.care]))
    return Drawing("latency", replace(finding, care=care), tuple(panels))


def _panel(rows: list[Row], everything: list[Row]) -> Spec:
    name = case_name(everything)
    values: list[dict[str, Any]] = [
        {"x": 10 ** (place / BINS_A_DECADE), "share": share, "series": _series(name(row), part, row)}
        | {"percentiles": percentile_words(part, row)}
        for row in rows
        for part in row.detail.latencies
        for place, share in binned(part)
    ]
    low, high = min(value["x"] for value in values), max(value["x"] for value in values)
    encoding = {
        "x": {
            "field": "x",
            "type": "quantitative",
            "title": "duration of a request",
            "scale": {"type": "log", "domain": [low / 1.2, high * 1.2], "nice": False},
            "axis": {"labelExpr": SECONDS_LABEL, "values": _decades(low, high), "labelOverlap": "greedy"},
        },
        "y": {
            "field": "share",
            "type": "quantitative",
            "title": "share of requests, a tenth of a decade",
            "axis": {"format": ".0%", "tickCount": 5},
        },
        "tooltip": [
            {"field": "series", "title": "case"},
            {"field": "percentiles", "title": "requests"},
            {"field": "share", "title": "share here", "format": ".2%"},
        ],
    }
    return step_lines(values, HEIGHT, {"interpolate": "step", "strokeWidth": 2}, encoding)


def _series(name: str, part: PooledLatency, row: Row) -> str:
    return name if part.verb == row.phase else ", ".join(filter(None, [part.verb, name]))


def binned(part: PooledLatency) -> list[tuple[int, float]]:
    """(bin, share of requests), bins of a tenth of a decade without gaps, and an empty one at both ends."""
    counts: Counter[int] = Counter()
    for bound_s, count in part.histogram:
        counts[math.floor(math.log10(bound_s * (1 - part.relative_error)) * BINS_A_DECADE)] += count
    return [(place, counts[place] / part.timed) for place in range(min(counts) - 1, max(counts) + 2)]


def _decades(low: float, high: float) -> list[float]:
    """Ticks at 1, and where there are few decades also at 3, of each decade."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    steps: tuple[Any, ...] = (1,) if last - first > 3 else (1, 3)
    return [step * 10.0**decade for decade in range(first, last + 1) for step in steps]
