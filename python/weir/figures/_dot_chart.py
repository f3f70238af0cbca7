"""Values far apart, one below the other: a dot and an interval each, on one scale."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weir.figures._axes import value_axis
from weir.figures._data import PRECISE, TOOLTIP, bounds, datum
from weir.figures._few import legend_of
from weir.figures.drawing import Spec
from weir.findings.row import Row

ROW_HEIGHT = 34


def dot_chart(rows: list[Row], place: Callable[[Row], str], series: Callable[[Row], str]) -> Spec:
    """The spec of one panel: a line a place, in their order, and on it a dot a series. A hollow dot is in
    doubt."""
    places = list(dict.fromkeys(place(row) for row in rows))
    domain = list(dict.fromkeys(series(row) for row in rows))
    x = value_axis(rows[0].metric, *bounds(rows))
    legend = legend_of(domain) | {"symbolType": "circle", "symbolOpacity": 1} if any(domain) else None
    where: dict[str, Any] = {
        "y": {"field": "place", "type": "nominal", "sort": places, "title": None, "axis": {"grid": True}},
        "yOffset": {"field": "series", "sort": domain},
        "color": {"field": "series", "type": "nominal", "scale": {"domain": domain}, "legend": legend},
    }
    filled = {"test": f"datum.state === '{PRECISE}'", "field": "series", "type": "nominal", "legend": None}
    return {
        "width": "container",
        "height": ROW_HEIGHT * len(places) * max(1, len(domain) // 2) + 20,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "data": {"values": [datum(row, place=place(row), series=series(row)) for row in rows]},
        "encoding": where,
        "layer": [
            {
                "transform": [{"filter": "isValid(datum.low)"}],
                "mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.45},
                "encoding": {"x": {"field": "low", **x}, "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "point", "size": 80, "strokeWidth": 2, "opacity": 1},
                "encoding": {
                    "x": {"field": "median", **x},
                    "fill": {"condition": filled | {"scale": {"domain": domain}}, "value": "transparent"},
                    "tooltip": TOOLTIP,
                },
            },
        ],
    }
