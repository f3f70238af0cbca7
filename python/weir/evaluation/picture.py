"""The picture of a machine: how many ranks alone the ranks of each test are worth together."""

from collections.abc import Sequence
from typing import Any

from weir.evaluation.curves import Curve
from weir.figures.encoding import legend_of, nominal, panel_spec, quantitative, ranks_axis, series_color
from weir.figures.figure import Panel, Spec
from weir.results.quantity_words import measured_words
from weir.results.row import Row, median_of

HEIGHT = 230
SHARES = (1 / 8, 1 / 4, 1 / 2, 1)
"""Ticks for ranks that hinder each other."""
TOOLTIP = [
    {"field": "series", "title": "test"},
    {"field": "x", "title": "ranks"},
    {"field": "measured", "title": "median [95 % interval]"},
    {"field": "y", "title": "as many as so many alone", "type": "quantitative", "format": ".3~r"},
]


def panel_of(curves: Sequence[Curve]) -> Panel:
    """A curve a test: its number over that of the fewest ranks, times these. A dashed line is where each rank
    more is worth one."""
    counts = sorted({row.ranks for curve in curves for row in curve.rows})
    values = [_datum(curve, row) for curve in curves for row in curve.rows]
    ends = [value[key] for value in values for key in ("low", "y", "high") if value[key]]
    domain = [min([*ends, counts[0]]) / 1.1, max([*ends, counts[-1]]) * 1.1]
    scale = {"type": "log", "base": 2, "domain": domain, "nice": False}
    y: dict[str, Any] = {"scale": scale, "axis": {"values": [*SHARES, *counts], "format": ",~r"}}
    x = ranks_axis(counts)
    names = [curve.name for curve in curves]
    legend = legend_of(names) | {"symbolType": "circle", "columns": 6, "orient": "top", "offset": 0}
    color = series_color(names, legend)
    ideal: Spec = {
        "data": {"values": [{"x": count, "y": count} for count in (counts[0], counts[-1])]},
        "mark": {"type": "line", "strokeDash": [4, 4], "strokeWidth": 1.5, "style": "mark-line"},
        "encoding": {"x": x, "y": quantitative("y", "worth of ranks alone", **y)},
    }
    layer: list[Spec] = [
        ideal,
        {
            "transform": [{"filter": "isValid(datum.low)"}],
            "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.6},
            "encoding": {
                "x": x,
                "y": quantitative("low", "worth of ranks alone", **y),
                "y2": {"field": "high"},
                "color": color,
            },
        },
        {
            "mark": {"type": "line", "strokeWidth": 2},
            "encoding": {"x": x, "y": quantitative("y", "worth of ranks alone", **y), "color": color},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
            "encoding": {
                "x": x,
                "y": quantitative("y", "worth of ranks alone", **y),
                "color": color,
                "shape": nominal("part", legend=None),
                "tooltip": TOOLTIP,
            },
        },
    ]
    return Panel(
        "What the ranks are worth together; dashed: as many alone", panel_spec(HEIGHT, values, layer=layer)
    )


def _datum(curve: Curve, row: Row) -> dict[str, Any]:
    fewest = curve.rows[0]
    scale = fewest.ranks / median_of(fewest) if median_of(fewest) else 0.0

    def shown(value: float | None) -> float | None:
        return None if value is None else float(f"{value * scale:.4g}")

    return {
        "x": row.ranks,
        "y": shown(row.median),
        "low": shown(row.low),
        "high": shown(row.high),
        "series": curve.name,
        "part": curve.part,
        "measured": measured_words(row),
    }
