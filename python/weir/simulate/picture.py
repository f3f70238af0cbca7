"""A paper's figures: simulated curves, with the numbers that the paper prints of them as crosses."""

from collections.abc import Sequence
from typing import Any

from weir.figures.charts import LINE_HEIGHT, SLANTED_CROSS
from weir.figures.encoding import LOG_FROM_RATIO, log_ticks, nominal, quantitative, ranks_axis, size_axis
from weir.figures.figure import Drawing, Finding, Panel, Spec
from weir.simulate.paper import GAIN, Cell, Curve

SIZE = "size of a transfer"
RANKS, STRIPE_COUNT = COUNTS = "ranks", "stripes"
"""What the x of a curve may count; any other title is of bytes."""
UNITS = {GAIN: ("times", 1.0)}
BANDWIDTH = ("bandwidth (MB/s)", 1e6)


def drawing_of(name: str, title: str, cells: Sequence[Cell]) -> Drawing:
    """All panels for which there are cells, in their order."""
    panels: dict[str, list[tuple[Cell, Curve]]] = {}
    for cell in cells:
        if cell.printed.curve is not None:
            panels.setdefault(cell.printed.curve.panel, []).append((cell, cell.printed.curve))
    drawn = tuple(Panel(panel, _spec(points)) for panel, points in panels.items())
    return Drawing(name, Finding(answers=()), drawn, f"{title}, simulated; crosses: printed")


def _spec(points: Sequence[tuple[Cell, Curve]]) -> Spec:
    title, unit = UNITS.get(points[0][0].printed.quantity, BANDWIDTH)
    simulated = [_point(curve, cell.simulated / unit) for cell, curve in points]
    printed = [
        _point(curve, cell.printed.value / unit) for cell, curve in points if cell.printed.value is not None
    ]
    series = list(dict.fromkeys(curve.series for _, curve in points))
    frame = {
        "width": "container",
        "height": LINE_HEIGHT,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "data": {"values": simulated},
    }
    encoding = {
        "y": _y(title, [one["y"] for one in (*simulated, *printed)]),
        "color": nominal("series", scale={"domain": series}, legend={"title": None}),
    }
    numbers = sorted({curve.x for _, curve in points if not isinstance(curve.x, str)})
    if not numbers:
        return frame | _bars(encoding)
    return frame | _lines(encoding | {"x": _x(points[0][1].axis, numbers)}, printed)


def _lines(encoding: dict[str, Any], printed: list[dict[str, Any]]) -> Spec:
    dot = {"type": "point", "filled": True, "size": 45, "opacity": 1}
    cross = {"type": "point", "shape": SLANTED_CROSS, "size": 150, "strokeWidth": 2.5, "opacity": 1}
    return {
        "encoding": encoding,
        "layer": [
            {"mark": {"type": "line", "strokeWidth": 2}},
            {"mark": dot},
            {"data": {"values": printed}, "mark": cross},
        ],
    }


def _bars(encoding: dict[str, Any]) -> Spec:
    across = {"x": nominal("x", title=None, axis={"labelAngle": 0}), "xOffset": nominal("series")}
    return {"mark": "bar", "encoding": encoding | across}


def _point(curve: Curve, y: float) -> dict[str, Any]:
    return {"x": curve.x, "y": float(f"{y:.5g}"), "series": curve.series}


def _x(axis: str, values: Sequence[float]) -> dict[str, Any]:
    if axis in COUNTS:
        return {**ranks_axis([round(value) for value in values]), "title": axis}
    return size_axis(axis, values)


def _y(title: str, values: Sequence[float]) -> dict[str, Any]:
    low, high = min(values), max(values)
    if low <= 0 or high / low < LOG_FROM_RATIO:
        return quantitative("y", title, scale={"domain": [0, high * 1.08], "nice": True})
    domain = [low / 1.25, high * 1.25]
    scale = {"type": "log", "domain": domain, "nice": False}
    return quantitative("y", title, scale=scale, axis={"values": log_ticks(*domain), "format": ",~r"})
