"""The picture of a first screen: every sample as a dot over time, and the median of each case, or of each of
its modes, as a line."""

import datetime
from collections.abc import Mapping, Sequence

from weir.analyse.metric import Metric
from weir.analyse.modes import find_modes
from weir.figures.encoding import legend_of, panel_spec, quantitative, series_color, value_axis
from weir.figures.figure import Drawing, Finding, Panel, Spec
from weir.results.row import Row, by_metric
from weir.results.words import capital

NAME = "samples"
HEIGHT = 210
MOST_PANELS = 3
SHORT = 1.0
"""Minutes, below which a time is told in seconds."""


def samples_picture(headline: Mapping[str, Row | None]) -> Drawing | None:
    """The rows by their labels, in a panel a metric; null where nothing was sampled."""
    labels = {(row.case, row.phase, row.metric): label for label, row in headline.items() if row}
    rows = [row for row in headline.values() if row and row.samples]
    if not rows:
        return None
    panels = [_panel(some, labels) for some in by_metric(rows)[:MOST_PANELS]]
    if len(panels) == 1:
        panels = [Panel("", panels[0].spec)]
    return Drawing(NAME, Finding(()), tuple(panels), "Every sample over time; the line is the median")


def _panel(rows: Sequence[Row], labels: Mapping[tuple[str, str, Metric], str]) -> Panel:
    named = [(labels[row.case, row.phase, row.metric], row) for row in rows]
    metric = rows[0].metric
    times = {name: _minutes(row, rows) for name, row in named}
    timed = all(times.values()) and max(map(max, times.values())) > 0
    unit = "sample" if not timed else "minutes" if max(map(max, times.values())) > SHORT else "seconds"
    scale = 60 if unit == "seconds" else 1
    values = [
        {"x": scale * x, "y": value / metric.scale, "series": name, "sample": number + 1}
        for name, row in named
        for number, (x, value) in enumerate(
            zip(times[name] if timed else range(1, row.n + 1), row.samples, strict=False)
        )
    ]
    lines = [
        {"y": mode.median / metric.scale, "series": name}
        for name, row in named
        for mode in find_modes(row.samples).modes
    ]
    numbers = [value / metric.scale for row in rows for value in row.samples]
    y = value_axis(metric, min(numbers), max(numbers))
    if y["scale"].get("type") == "log":
        y |= {"title": f"{y['title']}, logarithmic"}
    domain = [name for name, _ in named]
    color = series_color(
        domain, legend_of(domain) | {"symbolType": "circle", "columns": 4, "orient": "top", "offset": 0}
    )
    at = quantitative("x", unit, axis={"tickCount": 6}, scale={"zero": False})
    layer: list[Spec] = [
        {
            "data": {"values": lines},
            "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.8},
            "encoding": {"y": {"field": "y", **y}, "color": color},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 45, "opacity": 0.75},
            "encoding": {"x": at, "y": {"field": "y", **y}, "color": color, "tooltip": _tooltip(y["title"])},
        },
    ]
    return Panel(capital(metric.noun), panel_spec(HEIGHT, values, layer=layer))


def _tooltip(title: str) -> list[dict[str, str]]:
    return [
        {"field": "series", "title": "result"},
        {"field": "sample", "title": "sample"},
        {"field": "y", "title": title, "type": "quantitative", "format": ".4~r"},
    ]


def _minutes(row: Row, rows: Sequence[Row]) -> list[float]:
    """When its samples began, from the first one of all rows on; empty where that is not known."""
    first = min((begun for one in rows for begun in _begun(one) if begun), default=None)
    begun = _begun(row)
    if first is None or None in begun or len(begun) != len(row.samples):
        return []
    return [(at - first).total_seconds() / 60 for at in begun if at]


def _begun(row: Row) -> list[datetime.datetime | None]:
    return [_time(record.started_at) for record in row.records]


def _time(text: str | None) -> datetime.datetime | None:
    try:
        return datetime.datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
