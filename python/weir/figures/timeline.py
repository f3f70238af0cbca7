"""Bandwidth over the time of a phase."""

from __future__ import annotations

from dataclasses import replace

from weir.figures._few import fewest
from weir.figures.drawing import Card, Drawing, Panel, Spec, figure
from weir.findings.course import MIB, judge_course
from weir.findings.latency import case_name
from weir.findings.row import Row, directions, measured

HEIGHT = 240


@figure("timeline")
def timeline(rows: list[Row], card: Card) -> Drawing | None:
    """A panel a direction: bytes finished a second, over the time since the phase's start, a curve a case."""
    finding = judge_course(rows, card)
    if finding is None:
        return None
    found = [row for row in measured(rows) if row.detail.course]
    panels, missing = [], ""
    for direction in directions(found):
        part, missing = fewest([row for row in found if row.direction == direction])
        panels.append(Panel(f"{direction}s".capitalize(), _panel(part, found)))
    care = " ".join(filter(None, [missing, finding.care]))
    return Drawing("timeline", replace(finding, care=care), tuple(panels))


def _panel(rows: list[Row], everything: list[Row]) -> Spec:
    name = case_name(everything)
    values = [
        {"time": start, "mib_per_s": rate, "series": name(row)}
        for row in rows
        for start, rate in _points(row)
    ]
    most = max(rate for row in everything for _, rate in _points(row))
    domain = list(dict.fromkeys(value["series"] for value in values))
    legend = {"title": None, "symbolType": "stroke"} if any(domain) else None
    return {
        "width": "container",
        "height": HEIGHT,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "data": {"values": values},
        "mark": {"type": "line", "interpolate": "step-after", "strokeWidth": 1.6},
        "encoding": {
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
            "color": {"field": "series", "type": "nominal", "scale": {"domain": domain}, "legend": legend},
            "tooltip": [
                {"field": "series", "title": "case"},
                {"field": "time", "title": "from (s)", "format": ".3~r"},
                {"field": "mib_per_s", "title": "MiB/s", "format": ".3~r"},
            ],
        },
    }


def _points(row: Row) -> list[tuple[float, float]]:
    """(start in s, MiB/s) of each interval, then nothing until the phase's end."""
    course = row.detail.course
    assert course is not None
    step = course.interval_s
    points = [(round(i * step, 9), round(size / step / MIB, 3)) for i, size in enumerate(course.bytes)]
    return [
        *points,
        (round(len(course.bytes) * step, 9), 0.0),
        (round(max(course.elapsed_s, len(points) * step), 9), 0.0),
    ]
