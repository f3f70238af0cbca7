"""Shares of the greatest as a Kiviat diagram: a spoke a quantity, a line a system, the best on the rim."""

import math
from collections.abc import Sequence
from typing import Any

from weir.figures.encoding import LINE, filled_unless, legend_of, series_color
from weir.figures.figure import Spec
from weir.network.reach import WITHIN
from weir.ratios.bars import TOOLTIP, columns_of, share_datum
from weir.ratios.quantities import Quantity
from weir.ratios.systems import Share

SIZE, WIDTH = 300, 400
"""In pixels: circles are to be round."""
REACH, FAR = 1.25, 1.12
"""Of the drawing and of names, where the rim is at 1."""
RINGS = (0.25, 0.5, 0.75, 1.0)
STEPS = 72
FEWEST = 3
"""Spokes, of which a line makes a surface."""


def kiviat_chart(shares: Sequence[Share]) -> Spec | None:
    """The spec of one panel; null of fewer than three quantities."""
    columns = columns_of(shares)
    spokes = [*columns]
    if len(spokes) < FEWEST:
        return None
    names = list(dict.fromkeys(one.system.name for one in shares))
    colour = series_color(names, legend_of(names) | {"symbolType": "stroke", "symbolOpacity": 1})
    at = {"x": _axis("x", SIZE / WIDTH), "y": _axis("y", 1.0)}
    lines = [datum for name in names for datum in _outline(name, shares, spokes)]
    fill = filled_unless("hollow", names, legend=None)
    outline = {
        "data": {"values": lines},
        "mark": {"type": "line", "strokeWidth": 2},
        "encoding": at | {"color": colour, "order": {"field": "order", "type": "quantitative"}},
    }
    point = {
        "data": {"values": [_point(one, spokes) for one in shares]},
        "mark": {"type": "point", "size": 60, "strokeWidth": 2, "opacity": 1},
        "encoding": at | {"color": colour, "fill": fill, "tooltip": TOOLTIP},
    }
    return {
        "width": WIDTH,
        "height": SIZE,
        "data": {"values": []},
        "layer": [_grid(spokes, at), outline, point, _names([*columns.values()], at)],
    }


def _axis(field: str, narrow: float) -> dict[str, Any]:
    reach = REACH / narrow
    return {
        "field": field,
        "type": "quantitative",
        "axis": None,
        "scale": {"domain": [-reach, reach], "nice": False},
    }


def _place(at: int, of: int, radius: float) -> dict[str, float]:
    """The first spoke points up, the others follow as a clock goes."""
    angle = 2 * math.pi * at / of
    return {"x": round(radius * math.sin(angle), 5), "y": round(radius * math.cos(angle), 5)}


def _outline(name: str, shares: Sequence[Share], spokes: Sequence[Quantity]) -> list[dict[str, Any]]:
    """Closed where the system has every quantity; a spoke without a number breaks the line."""
    known = {share.quantity: share for share in shares if share.system.name == name}
    around = [*range(len(spokes)), 0]
    found: list[dict[str, Any]] = []
    for order, at in enumerate(around):
        share = known.get(spokes[at])
        place: dict[str, Any] = (
            {"x": None, "y": None} if share is None else _place(at, len(spokes), share.share)
        )
        found.append({"series": name, "order": order, **place})
    return found


def _point(one: Share, spokes: Sequence[Quantity]) -> dict[str, Any]:
    return share_datum(one) | _place(spokes.index(one.quantity), len(spokes), one.share)


def _grid(spokes: Sequence[Quantity], at: dict[str, Any]) -> Spec:
    rings = [
        {"line": f"ring {radius}", "order": step, **_place(step, STEPS, radius)}
        for radius in RINGS
        for step in range(STEPS + 1)
    ]
    rays = [
        {"line": one.phase, "order": order, **_place(number, len(spokes), order)}
        for number, one in enumerate(spokes)
        for order in (0, 1)
    ]
    return {
        "data": {"values": [*rings, *rays]},
        "mark": {"type": "line", "strokeWidth": 0.8, "opacity": 0.4},
        "encoding": at
        | {"detail": {"field": "line"}, "order": {"field": "order", "type": "quantitative"}}
        | {"color": {"value": LINE}},
    }


def _names(columns: Sequence[str], at: dict[str, Any]) -> Spec:
    """Beside the rim, to its outer side."""
    parts: dict[str, list[dict[str, Any]]] = {"left": [], "center": [], "right": []}
    for number, name in enumerate(columns):
        place = _place(number, len(columns), FAR)
        side = "center" if abs(place["x"]) < 0.1 else "left" if place["x"] > 0 else "right"
        parts[side].append({**place, "name": name.replace(f" {WITHIN}", f"|{WITHIN}")})
    return {
        "layer": [
            {
                "data": {"values": values},
                "mark": {
                    "type": "text",
                    "align": side,
                    "baseline": "middle",
                    "fontSize": 12,
                    "lineBreak": "|",
                },
                "encoding": at | {"text": {"field": "name"}, "color": None},
            }
            for side, values in parts.items()
            if values
        ]
    }
