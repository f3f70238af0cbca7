"""The model as a picture: time over message size, both logarithmic, measured points with intervals, the lines
of the ranges, and the places where the protocol switches."""

import math
from collections.abc import Sequence
from typing import Any

from weir.figures.encoding import LIGHT, LIGHT_SERIES, config, log_ticks, quantitative, size_axis
from weir.figures.figure import Spec
from weir.network.loggp import Model

WIDTH, HEIGHT = 640, 380
POINTS_A_LINE = 24
_US = 1e6
LEAST = 1
"""Byte at which size 0 stands, since the axis is logarithmic."""
MEASURED, OTHERS, LINES = "measured", "measured, not used for the model", "model"
_COLOURS = {MEASURED: LIGHT_SERIES[0], OTHERS: LIGHT_SERIES[1], LINES: LIGHT["ink"]}


def spec_of(model: Model, title: str) -> Spec:
    """Half a PingPong, as the model was made of it."""
    held = [one for one in model.predictions if one.call.function == "PingPong"]
    points = [_point(MEASURED, size, time, low, high) for size, _, time, low, high in model.measured]
    points += [_point(OTHERS, one.call.bytes, one.measured_s, one.low_s, one.high_s) for one in held]
    times = [point[key] for point in points for key in ("low", "high", "time") if point[key]]
    domain = [min(times) / 1.3, max(times) * 1.3]
    y = {
        "scale": {"type": "log", "domain": domain, "nice": False},
        "axis": {"values": log_ticks(*domain), "format": ",~r"},
    }
    sizes = sorted({max(LEAST, size) for size, *_ in model.measured})
    kinds = [MEASURED, *([OTHERS] if held else []), LINES]
    colour = {
        "field": "kind",
        "type": "nominal",
        "scale": {"domain": kinds, "range": [_COLOURS[kind] for kind in kinds]},
        "legend": {"title": None, "symbolType": "circle", "symbolOpacity": 1},
    }
    layers: list[Spec] = [
        {
            "data": {"values": _lines(model)},
            "mark": {"type": "line", "strokeWidth": 1.5, "clip": True},
            "encoding": {
                "y": quantitative("time", "half a round trip (µs)", **y),
                "detail": {"field": "line"},
            },
        },
        {
            "data": {"values": points},
            "transform": [{"filter": "isValid(datum.low)"}],
            "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.5, "clip": True},
            "encoding": {"y": quantitative("low", "", **y), "y2": {"field": "high"}},
        },
        {
            "data": {"values": points},
            "mark": {"type": "point", "size": 45, "filled": True, "opacity": 1, "clip": True},
            "encoding": {"y": quantitative("time", "", **y)},
        },
        *(_switch(f"{one.low:,} to {one.high:,} B", one.low, one.high, domain[1]) for one in model.switches),
        *([_switch("a send waits", *model.waits, domain[0] * 1.3, "left")] if model.waits else []),
    ]
    return {
        "title": {"text": title},
        "width": WIDTH,
        "height": HEIGHT,
        "encoding": {"x": size_axis("message size (0 bytes at 1)", sizes), "color": colour},
        "layer": layers,
        "config": config(),
        "padding": 16,
    }


def _point(kind: str, size: int, time: float, low: float | None, high: float | None) -> dict[str, Any]:
    found = {"x": max(LEAST, size), "kind": kind, "time": time * _US}
    return found | {"low": None if low is None else low * _US, "high": None if high is None else high * _US}


def _lines(model: Model) -> list[dict[str, Any]]:
    """Each line over its own range."""
    values = []
    for number, line in enumerate(model.one_way.lines):
        for size in _spread(max(LEAST, line.low), max(LEAST, line.high)):
            time = line.at(size) * _US
            if time > 0:
                values.append({"x": size, "time": time, "line": number, "kind": LINES})
    return values


def _spread(low: int, high: int) -> Sequence[float]:
    ratio = math.log(high / low) / POINTS_A_LINE
    return [low * math.exp(ratio * step) for step in range(POINTS_A_LINE + 1)]


def _switch(text: str, low: int, high: int, up: float, align: str = "right") -> Spec:
    """`align` left: the text is of what follows."""
    here = {"x": math.sqrt(max(low, LEAST) * high), "text": text, "y": up / 1.15}
    x = {"field": "x", "type": "quantitative"}
    return {
        "data": {"values": [here]},
        "encoding": {"x": x, "color": None},
        "layer": [
            {"mark": {"type": "rule", "strokeDash": [4, 4], "style": "mark-line"}},
            {
                "mark": {
                    "type": "text",
                    "align": align,
                    "dx": {"left": 5, "right": -5}[align],
                    "style": "note",
                },
                "encoding": {"text": {"field": "text"}, "y": {"field": "y", "type": "quantitative"}},
            },
        ],
    }
