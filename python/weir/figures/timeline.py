"""Bandwidth over the time of a phase."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from weir.figures._few import fewest
from weir.figures._step_lines import step_lines
from weir.figures.drawing import Card, Drawing, Panel, Spec, figure
from weir.findings.course import MIB, judge_course
from weir.findings.latency import case_name
from weir.findings.row import Row, directions, measured

HEIGHT = 240
MOST_INTERVALS = 60


@figure("timeline")
def timeline(rows: list[Row], card: Card) -> Drawing | None:
    """A panel a direction: bytes finished a second, over the time since the phase's start, a curve a case."""
    finding = judge_course(rows, card)
    if finding is None:
        return None
    found = [row for row in measured(rows) if row.detail.course]
    shown = {name: fewest([row for row in found if row.direction == name]) for name in directions(found)}
    values = {name: _values(rows, case_name(found)) for name, (rows, _) in shown.items()}
    most = max(value["mib_per_s"] for part in values.values() for value in part)
    panels = tuple(Panel(f"{name}s".capitalize(), _panel(part, most)) for name, part in values.items())
    missing = next((words for _, words in shown.values() if words), "")
    care = " ".join(filter(None, [missing, finding.care]))
    return Drawing("timeline", replace(finding, care=care), panels)


def _values(rows: list[Row], name: Callable[[Row], str]) -> list[dict[str, Any]]:
    """The points of one panel, in intervals that suit its longest curve."""
    longest = max(row.detail.course.elapsed_s for row in rows if row.detail.course)
    return [
        {"time": start, "mib_per_s": rate, "series": name(row)}
        for row in rows
        for start, rate in _points(row, longest / MOST_INTERVALS)
    ]


def _panel(values: list[dict[str, Any]], most: float) -> Spec:
    encoding = {
        "x": {
            "field": "time",
            "type": "quantitative",
            "title": "time since the start (s)",
            "axis": {"tickCount": 6, "format": "~r"},
        },
        "y": {
            "field": "mib_per_s",
            "type": "quantitative",
            "title": "bandwidth (MiB/s)",
            "scale": {"domainMax": most * 1.05},
            "axis": {"tickCount": 5, "format": ",d"},
        },
        "tooltip": [
            {"field": "series", "title": "case"},
            {"field": "time", "title": "from (s)", "format": ".3~r"},
            {"field": "mib_per_s", "title": "MiB/s", "format": ".3~r"},
        ],
    }
    return step_lines(values, HEIGHT, {"interpolate": "step-after", "strokeWidth": 1.6}, encoding)


def _points(row: Row, least_s: float) -> list[tuple[float, float]]:
    """(start in s, MiB/s) of each interval of at least that length, then nothing until the phase's end."""
    assert row.detail.course is not None
    course = row.detail.course.coarser(least_s)
    step = course.interval_s
    points = [(round(i * step, 9), round(size / step / MIB, 3)) for i, size in enumerate(course.bytes)]
    return [
        *points,
        (round(len(course.bytes) * step, 9), 0.0),
        (round(max(course.elapsed_s, len(points) * step), 9), 0.0),
    ]
