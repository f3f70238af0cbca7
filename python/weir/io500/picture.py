"""The picture of standings: every submission as a dot on the axis of its phase, one's own run as a mark."""

from typing import Any

from weir.figures.encoding import LIGHT_SERIES, log_ticks, nominal, panel_spec, quantitative
from weir.figures.figure import Drawing, Finding, Panel, Spec
from weir.io500.phases import GIB
from weir.io500.rows import here_words, place_words
from weir.io500.standing import Standing, Standings
from weir.results.words import capital

LINE = 30
OTHERS, HERE = "a submission", "here"


def standing_picture(found: Standings) -> Drawing | None:
    """A panel of bandwidths and one of rates; null where no phase is comparable."""
    panels = [
        Panel(title, _panel(some, found.name))
        for title, some in (
            ("Bandwidth", [one for one in found.phases if one.phase.moves]),
            ("Operations on files", [one for one in found.phases if not one.phase.moves]),
        )
        if some
    ]
    return Drawing("standing", Finding(()), tuple(panels), "Where does it stand?") if panels else None


def _panel(some: list[Standing], name: str) -> Spec:
    unit, scale = ("GiB/s", GIB) if some[0].phase.moves else ("operations/s", 1)
    values = [
        {"phase": capital(one.phase.title), "x": value / scale, "whose": OTHERS}
        for one in some
        for value in one.values
    ]
    mine = [_mine(one, name, scale) for one in some]
    every = [one["x"] for one in (*values, *mine)]
    low, high = min(every) / 1.3, max(every) * 1.3
    axis = {"values": log_ticks(low, high), "format": "~s", "grid": True}
    x = quantitative("x", unit, scale={"type": "log", "domain": [low, high], "nice": False}, axis=axis)
    order = [capital(one.phase.title) for one in some]
    y = nominal("phase", sort=order, title=None, axis={"labelLimit": 200, "minExtent": 90})
    own = {"color": LIGHT_SERIES[1]}
    layer: list[Spec] = [
        {
            "mark": {"type": "tick", "thickness": 1, "size": LINE * 0.6, "opacity": 0.35},
            "encoding": {"x": x, "y": y},
        },
        {
            "data": {"values": mine},
            "mark": {"type": "rule", "strokeWidth": 2, **own},
            "encoding": {"x": x | {"field": "low"}, "x2": {"field": "high"}, "y": y},
        },
        {
            "data": {"values": mine},
            "mark": {"type": "point", "filled": True, "size": 90, "shape": "diamond", "opacity": 1, **own},
            "encoding": {
                "x": x,
                "y": y,
                "tooltip": [
                    {"field": "whose"},
                    {"field": "text", "title": "here"},
                    {"field": "place", "title": "faster than"},
                ],
            },
        },
    ]
    return panel_spec(LINE * len(some) + 10, values, layer=layer)


def _mine(one: Standing, name: str, scale: int) -> dict[str, Any]:
    row = one.like.row
    median = row.median or 0
    return {
        "phase": capital(one.phase.title),
        "x": median / scale,
        "low": (row.low if row.low is not None else median) / scale,
        "high": (row.high if row.high is not None else median) / scale,
        "whose": name,
        "text": here_words(one),
        "place": place_words(one.place),
    }
