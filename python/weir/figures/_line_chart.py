"""Medians along an axis, joined by lines, with their intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from weir.figures._axes import value_axis
from weir.figures._data import PRECISE, SHAPES, STATES, TOOLTIP, bounds, datum, state
from weir.figures._few import legend_of
from weir.figures.drawing import Spec
from weir.findings.row import Row

HEIGHT = 300


@dataclass(frozen=True)
class Marker:
    """A vertical line at `x` with a word beside it: where something about the machine changes."""

    x: float
    text: str


@dataclass(frozen=True)
class Along:
    """What rows are drawn along: `axis` encodes the field "x", `x` gives its value, `series` names curves."""

    axis: dict[str, Any]
    x: Callable[[Row], float]
    series: Callable[[Row], str]


def line_chart(
    rows: list[Row], along: Along, *, all_rows: list[Row] | None = None, markers: Sequence[Marker] = ()
) -> Spec:
    """The spec of one panel. `all_rows` (default: `rows`) fix colours and scale, so that panels agree."""
    everything, series = all_rows or rows, along.series
    domain = list(dict.fromkeys(series(row) for row in everything))
    shown = list(dict.fromkeys(series(row) for row in rows))
    color = {
        "field": "series",
        "type": "nominal",
        "scale": {"domain": domain},
        "legend": legend_of(shown) | {"values": shown, "symbolType": "circle", "symbolOpacity": 1},
    }
    low, high = bounds(everything)
    y = value_axis(everything[0].metric, low, high)
    return {
        "width": "container",
        "height": HEIGHT,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "data": {"values": [datum(row, x=along.x(row), series=series(row)) for row in rows]},
        "encoding": {"x": along.axis, "color": color},
        "layer": [*_intervals(y), _line(y), _points(y, rows, domain), *map(_marker, markers)],
    }


def _intervals(y: dict[str, Any]) -> list[Spec]:
    ends = {"y": {"field": "low", **y}, "y2": {"field": "high"}}
    known = [{"filter": "isValid(datum.low)"}]
    return [
        {"transform": known, "mark": {"type": "area", "opacity": 0.13, "line": False}, "encoding": ends},
        {"transform": known, "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.75}, "encoding": ends},
    ]


def _line(y: dict[str, Any]) -> Spec:
    return {"mark": {"type": "line", "strokeWidth": 2}, "encoding": {"y": {"field": "median", **y}}}


def _points(y: dict[str, Any], rows: list[Row], domain: list[str]) -> Spec:
    # Only what is in doubt is explained: a filled circle needs no words.
    present = [name for name in STATES if name in {state(row) for row in rows}]
    shapes = [SHAPES[STATES.index(name)] for name in present]
    doubtful = [name for name in present if name != PRECISE]
    legend = {"title": None, "values": doubtful, "symbolFillColor": "transparent"} if doubtful else None
    filled = {"test": f"datum.state === '{PRECISE}'", "field": "series", "type": "nominal"}
    return {
        "mark": {"type": "point", "size": 75, "strokeWidth": 2, "opacity": 1},
        "encoding": {
            "y": {"field": "median", **y},
            "shape": {
                "field": "state",
                "type": "nominal",
                "scale": {"domain": present, "range": shapes},
                "legend": legend,
            },
            "fill": {"condition": filled | {"scale": {"domain": domain}}, "value": "transparent"},
            "tooltip": TOOLTIP,
        },
    }


def _marker(marker: Marker) -> Spec:
    here = {"data": {"values": [{"mark": marker.x, "text": marker.text}]}}
    at = {"x": {"field": "mark", "type": "quantitative"}, "color": None}
    line = {"mark": {"type": "rule", "strokeDash": [4, 4], "style": "mark-line"}, "encoding": at}
    note = {
        "mark": {"type": "text", "align": "left", "dx": 5, "baseline": "top", "style": "note"},
        "encoding": at | {"text": {"field": "text"}, "y": {"value": 2}},
    }
    return here | {"layer": [line, note]}
