"""The picture of nodes beside each other: a line for each measurement, on it a dot for each node."""

from collections.abc import Sequence
from typing import Any

from weir.figures.encoding import LIGHT_SERIES, nominal, panel_spec, quantitative
from weir.figures.figure import Spec
from weir.nodes.standing import Family, Standing

LINE = 46
NEAR = 0.12
"""The axis reaches so far to either side at least."""
ALIKE, SLOWER, FASTER, SLOW_KIND, FAST_KIND = (
    "like the others",
    "slower",
    "faster",
    "slower kind",
    "faster kind",
)
COLOURS = {ALIKE: 0, SLOW_KIND: 4, FAST_KIND: 0, SLOWER: 1, FASTER: 2}
"""Places in the range of colours."""
LEVELS = 7
"""Heights at which dots beside each other stand, so that they do not hide each other."""


def strips(found: Sequence[Family]) -> Spec:
    """The spec of the panel. Dots are at per cents of the speed of those like them; of two kinds, of the
    faster one."""
    values = [_datum(family, one, at) for family in found for at, one in enumerate(_sorted(family))]
    shares = [value["share"] for value in values] or [0.0]
    low, high = min(-NEAR, *shares) * 105, max(NEAR, *shares) * 105
    names = [family.name for family in found]
    states = [state for state in COLOURS if state in {value["state"] for value in values}]
    colour = nominal(
        "state",
        scale={"domain": states, "range": [LIGHT_SERIES[COLOURS[state]] for state in states]},
        legend={"title": None, "columns": 5, "symbolOpacity": 1, "orient": "top"}
        if len(states) > 1
        else None,
    )
    x = quantitative("percent", "speed against the others (%)", scale={"domain": [low, high], "nice": False})
    where: dict[str, Any] = {
        "x": x,
        "y": nominal("what", sort=names, title=None, axis={"labelLimit": 220, "minExtent": 60, "grid": True}),
        "yOffset": quantitative("height", "", scale={"domain": [-1, LEVELS]}, axis=None),
    }
    tooltip = [
        {"field": "node"},
        {"field": "what", "title": "of"},
        {"field": "text", "title": "speed"},
        {"field": "state", "title": "is"},
    ]
    layer: list[Spec] = [
        {
            "data": {"values": [{"none": 0}]},
            "mark": {"type": "rule", "style": "mark-line", "strokeWidth": 1.2},
            "encoding": {"x": {"field": "none", "type": "quantitative"}},
        },
        {
            "transform": [{"filter": "isValid(datum.low)"}],
            "mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.45},
            "encoding": {**where, "x": {**x, "field": "low"}, "x2": {"field": "high"}, "color": colour},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 55, "opacity": 0.8},
            "encoding": {**where, "color": colour, "tooltip": tooltip},
        },
        {
            "transform": [{"filter": "isValid(datum.label)"}],
            "mark": {"type": "text", "baseline": "bottom", "dy": -6},
            "encoding": {**where, "text": {"field": "label"}},
        },
    ]
    return panel_spec(LINE * max(len(names), 1) + 20, values, layer=layer)


def _sorted(family: Family) -> list[Standing]:
    return sorted(family.standings, key=lambda one: one.share)


def _datum(family: Family, one: Standing, at: int) -> dict[str, Any]:
    """Named nodes get a name and an interval, in the middle of the line."""
    behind = 1 / family.kinds[0] if family.kinds and one.kind == 1 else 1.0
    place = (1 + one.share) * behind - 1
    known = one.named and one.low is not None and one.high is not None
    ends = (
        {"low": 100 * ((1 + one.low) * behind - 1), "high": 100 * ((1 + one.high) * behind - 1)}
        if known and one.low is not None and one.high is not None
        else {}
    )
    return {
        "what": family.name,
        "node": one.node,
        "share": place,
        "percent": float(f"{100 * place:.4g}"),
        "height": LEVELS // 2 if one.named else (at * 3) % LEVELS,
        "state": _state(one),
        "text": f"{100 * one.share:+.1f} %",
        **({"label": one.node} if one.named else {}),
        **ends,
    }


def _state(one: Standing) -> str:
    if one.named:
        return SLOWER if one.slower else FASTER
    return {1: SLOW_KIND, 2: FAST_KIND}.get(one.kind, ALIKE)
