"""Charts of rows as Vega-Lite specs: lines along an axis, dots with intervals, and curves of steps."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from weir.figures.encoding import (
    CACHED,
    FEW,
    KNOWN,
    SHAPES,
    STATES,
    SUSPECT,
    TOOLTIP,
    bounds,
    datum,
    legend_of,
    nominal,
    panel_spec,
    series_color,
    state,
    value_axis,
)
from weir.figures.figure import Spec
from weir.results.row import Row, median_of

LINE_HEIGHT, GROUP_HEIGHT, ROW_HEIGHT = 300, 280, 34
HAS_INTERVAL = [{"filter": "isValid(datum.low)"}]
LINES = "split(datum.label, '|')"
LONGEST_LINE = 9
DOUBT_MARK = {FEW: " (n < 6)", SUSPECT: " (cache)", **dict.fromkeys(CACHED, " (cache)")}


@dataclass(frozen=True)
class Marker:
    """A vertical line at `x` with a label: where something about the machine changes."""

    x: float
    text: str


@dataclass(frozen=True)
class Point:
    """A number that others printed, of one of the curves: `y` is in the unit of the data. One of another
    panel is not drawn, and counts for the scale only."""

    x: float
    y: float
    series: str
    state: str
    """What it is, for the legend: "printed for Columbia"."""
    text: str
    drawn: bool = True


SLANTED_CROSS = "M-0.7,-0.7L0.7,0.7M-0.7,0.7L0.7,-0.7"
CROSSES = (SLANTED_CROSS, "M-1,0L1,0M0,-1L0,1", "M-0.8,0.6L0,-0.8L0.8,0.6")
"""Of points that others printed: one a machine."""


@dataclass(frozen=True)
class Along:
    """What rows are drawn along: `axis` encodes the field "x", `x` gives its value, `series` names curves;
    `from_zero`: the other axis begins there."""

    axis: dict[str, Any]
    x: Callable[[Row], float]
    series: Callable[[Row], str]
    from_zero: bool = False


def line_chart(
    rows: list[Row],
    along: Along,
    *,
    all_rows: list[Row] | None = None,
    markers: Sequence[Marker] = (),
    printed: Sequence[Point] = (),
) -> Spec:
    """The spec of one panel. `all_rows` (default: `rows`) fix colours and scale, so that panels agree;
    `printed` are marked by crosses."""
    everything, series = all_rows or rows, along.series
    domain = list(dict.fromkeys(series(row) for row in everything))
    shown = list(dict.fromkeys(series(row) for row in rows))
    legend = legend_of(shown) | {"values": shown, "symbolType": "circle", "symbolOpacity": 1}
    y = value_axis(everything[0].metric, *_with_points(everything, printed), from_zero=along.from_zero)
    ends = {"y": {"field": "low", **y}, "y2": {"field": "high"}}
    intervals: list[Spec] = [
        {
            "transform": HAS_INTERVAL,
            "mark": {"type": "area", "opacity": 0.13, "line": False},
            "encoding": ends,
        },
        {
            "transform": HAS_INTERVAL,
            "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.75},
            "encoding": ends,
        },
    ]
    line = {"mark": {"type": "line", "strokeWidth": 2}, "encoding": {"y": {"field": "median", **y}}}
    return panel_spec(
        LINE_HEIGHT,
        [datum(row, x=along.x(row), series=series(row)) for row in rows],
        encoding={"x": along.axis, "color": series_color(domain, legend)},
        layer=[
            *intervals,
            line,
            *_points(y, rows, domain, [point for point in printed if point.drawn]),
            *map(_marker, markers),
        ],
    )


def _with_points(rows: list[Row], points: Sequence[Point]) -> tuple[float, float]:
    """What bounds() says, the points included."""
    low, high = bounds(rows)
    values = [point.y / rows[0].metric.scale for point in points]
    return min([low, *values]), max([high, *values])


def _points(y: dict[str, Any], rows: list[Row], domain: list[str], printed: Sequence[Point]) -> list[Spec]:
    # Only what is in doubt is explained: a filled circle needs no words.
    present = [name for name in STATES if name in {state(row) for row in rows}]
    shapes = [SHAPES[STATES.index(name)] for name in present]
    for at, name in enumerate(dict.fromkeys(point.state for point in printed)):
        present, shapes = [*present, name], [*shapes, CROSSES[at % len(CROSSES)]]
    doubtful = [name for name in present if name != KNOWN]
    legend = {"title": None, "values": doubtful, "symbolFillColor": "transparent"} if doubtful else None
    encoding = {
        "y": {"field": "median", **y},
        "shape": nominal("state", scale={"domain": present, "range": shapes}, legend=legend),
        "fill": _filled(nominal("series", scale={"domain": domain})),
        "tooltip": TOOLTIP,
    }
    dot = {"type": "point", "size": 75, "strokeWidth": 2, "opacity": 1}
    crosses = {
        "data": {"values": [_cross(point, rows[0].metric.scale) for point in printed]},
        "mark": dot | {"size": 120, "strokeWidth": 2},
        "encoding": encoding | {"tooltip": [{"field": "text", "title": "printed"}]},
    }
    return [{"mark": dot, "encoding": encoding}, *([crosses] if printed else [])]


def _cross(point: Point, scale: float) -> dict[str, Any]:
    place = {"x": point.x, "median": float(f"{point.y / scale:.5g}"), "series": point.series}
    return {**place, "state": point.state, "text": point.text}


def _filled(series: dict[str, Any]) -> dict[str, Any]:
    """A hollow point is in doubt."""
    return {"condition": {"test": f"datum.state === '{KNOWN}'", **series}, "value": "transparent"}


def _marker(marker: Marker) -> Spec:
    here = {"data": {"values": [{"mark": marker.x, "text": marker.text}]}}
    at = {"x": {"field": "mark", "type": "quantitative"}, "color": None}
    line = {"mark": {"type": "rule", "strokeDash": [4, 4], "style": "mark-line"}, "encoding": at}
    note = {
        "mark": {"type": "text", "align": "left", "dx": 5, "baseline": "top", "style": "note"},
        "encoding": at | {"text": {"field": "text"}, "y": {"value": 2}},
    }
    return here | {"layer": [line, note]}


def group_chart(
    rows: list[Row], group: Callable[[Row], str], series: Callable[[Row], str], all_rows: list[Row]
) -> Spec:
    """The spec of one panel: groups along the axis, in each a dot with its interval for every series;
    `all_rows` fix colours and vertical axis.

    A hollow dot is in doubt, and its number is followed by "(n < 6)" or "(cache)".
    """
    domain = list(dict.fromkeys(series(row) for row in all_rows))
    groups = list(dict.fromkeys(_lines(group(row)) for row in all_rows))
    low, high = bounds(all_rows)
    y = value_axis(all_rows[0].metric, low, high * 1.04)
    axis = {"labelAngle": 0, "labelExpr": LINES}
    place: dict[str, Any] = {
        "x": nominal("group", sort=groups, title=None, axis=axis),
        "xOffset": {"field": "series", "sort": domain},
        "color": series_color(domain, legend_of(domain) | {"symbolType": "circle", "symbolOpacity": 1}),
    }
    fill = _filled(nominal("series", legend=None, scale={"domain": domain}))
    dot = {"y": {"field": "median", **y}, "fill": fill, "tooltip": TOOLTIP}
    interval = {"y": {"field": "low", **y}, "y2": {"field": "high"}}
    label = {"y": {"field": "top", "type": "quantitative"}, "text": {"field": "label"}, "color": None}
    layer = [
        {
            "transform": HAS_INTERVAL,
            "mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.45},
            "encoding": interval,
        },
        {"mark": {"type": "point", "size": 80, "strokeWidth": 2, "opacity": 1}, "encoding": dot},
        {"mark": {"type": "text", "baseline": "bottom", "dy": -7}, "encoding": label},
    ]
    values = [_labelled(row, _lines(group(row)), series(row)) for row in rows]
    return panel_spec(GROUP_HEIGHT, values, encoding=place, layer=layer)


def _lines(group: str) -> str:
    """The group's name in short lines, so that neighbours have room on a narrow page."""
    parts = [
        part if len(part) <= LONGEST_LINE else "|".join(part.rsplit(" ", 1)) for part in group.split(", ")
    ]
    return "|".join(parts)


def _labelled(row: Row, group: str, series: str) -> dict[str, Any]:
    top = (row.high if row.high is not None else median_of(row)) / row.metric.scale
    label = row.metric.show(median_of(row)) + DOUBT_MARK.get(state(row), "")
    return datum(row, group=group, series=series) | {"top": top, "label": label}


def dot_chart(rows: list[Row], place: Callable[[Row], str], series: Callable[[Row], str]) -> Spec:
    """The spec of one panel: a line a place, in their order, and on it a dot a series. A hollow dot is in
    doubt."""
    places = list(dict.fromkeys(place(row) for row in rows))
    domain = list(dict.fromkeys(series(row) for row in rows))
    x = value_axis(rows[0].metric, *bounds(rows))
    legend = legend_of(domain) | {"symbolType": "circle", "symbolOpacity": 1} if any(domain) else None
    where: dict[str, Any] = {
        "y": nominal("place", sort=places, title=None, axis={"grid": True}),
        "yOffset": {"field": "series", "sort": domain},
        "color": series_color(domain, legend),
    }
    fill = _filled(nominal("series", legend=None, scale={"domain": domain}))
    interval = {"x": {"field": "low", **x}, "x2": {"field": "high"}}
    dot = {"x": {"field": "median", **x}, "fill": fill, "tooltip": TOOLTIP}
    layer = [
        {
            "transform": HAS_INTERVAL,
            "mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.45},
            "encoding": interval,
        },
        {"mark": {"type": "point", "size": 80, "strokeWidth": 2, "opacity": 1}, "encoding": dot},
    ]
    height = ROW_HEIGHT * len(places) * max(1, len(domain) // 2) + 20
    values = [datum(row, place=place(row), series=series(row)) for row in rows]
    return panel_spec(height, values, encoding=where, layer=layer)


def step_lines(
    values: list[dict[str, Any]], height: int, mark: dict[str, Any], encoding: dict[str, Any]
) -> Spec:
    """The spec of one panel.

    Each of `values` has the fields that `encoding` (x, y and tooltip) names, and "series", its curve. `mark`
    says how the line looks, and where between two points it steps.
    """
    domain = list(dict.fromkeys(value["series"] for value in values))
    legend = legend_of(domain) | {"symbolType": "stroke"} if any(domain) else None
    colored = {**encoding, "color": series_color(domain, legend)}
    return panel_spec(height, values, mark={"type": "line", **mark}, encoding=colored)
