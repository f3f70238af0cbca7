"""Ratios of pairs as a chart: on a line for each place a dot with its interval, beside 1."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from weir.figures.encoding import FEW, log_ticks, nominal, panel_spec, quantitative, series_color
from weir.figures.figure import Spec

ROW_HEIGHT = 30
SURE, OPEN = "the interval excludes 1", "the interval contains 1"
SHAPES = {SURE: "circle", OPEN: "circle", FEW: "triangle-up"}


@dataclass(frozen=True)
class RatioPoint:
    """A ratio with its interval, null where it has none: in which line it stands, and which colour it has."""

    place: str
    series: str
    ratio: float
    low: float | None
    high: float | None
    text: str

    @property
    def state(self) -> str:
        """Whether the ratio is shown to differ from 1."""
        if self.low is None or self.high is None:
            return FEW
        return OPEN if self.low <= 1 <= self.high else SURE


def ratio_chart(points: Sequence[RatioPoint], title: str, colours: Sequence[str] = ()) -> Spec:
    """The spec of one panel, on an axis called `title`. A hollow dot is not shown to differ from 1. `colours`
    are all series of the drawing, where others have more."""
    places = list(dict.fromkeys(point.place for point in points))
    domain = list(dict.fromkeys(point.series for point in points))
    colours = colours or domain
    ends = [end for point in points for end in (point.ratio, point.low, point.high) if end]
    low, high = min([0.8, *ends]) / 1.05, max([1.25, *ends]) * 1.05
    scale = {"type": "log", "domain": [low, high], "nice": False}
    ticks = sorted({1.0, *(tick for tick in (0.8, 1.25) if high / low < 4), *log_ticks(low, high)})
    x = quantitative("ratio", title, scale=scale, axis={"values": ticks, "format": "~r", "grid": True})
    states = [state for state in SHAPES if state in {point.state for point in points}]
    fill = {
        "condition": {"test": f"datum.state === '{SURE}'", **nominal("series", scale={"domain": colours})},
        "value": "transparent",
    }
    hollow = [state for state in states if state != SURE]
    legend = {"title": None, "columns": 1, "symbolFillColor": "transparent", "values": hollow}
    shape = nominal(
        "state",
        scale={"domain": states, "range": [SHAPES[state] for state in states]},
        legend=legend if hollow else None,
    )
    where: dict[str, Any] = {
        "y": nominal(
            "place", sort=places, title=None, axis={"grid": True, "labelLimit": 220, "minExtent": 190}
        ),
        **({"yOffset": {"field": "series", "sort": domain}} if len(domain) > 1 else {}),
        "color": series_color(
            colours,
            {"title": None, "columns": 1, "symbolType": "circle", "symbolOpacity": 1, "values": domain},
        ),
    }
    interval = {
        "transform": [{"filter": "isValid(datum.low)"}],
        "mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.45},
        "encoding": {"x": {"field": "low", **_plain(x)}, "x2": {"field": "high"}},
    }
    dot = {
        "mark": {"type": "point", "size": 80, "strokeWidth": 2, "opacity": 1},
        "encoding": {"x": x, "fill": fill, "shape": shape, "tooltip": [{"field": "text", "title": "ratio"}]},
    }
    one = {
        "data": {"values": [{"one": 1}]},
        "mark": {"type": "rule", "style": "mark-line", "strokeWidth": 1.2},
        "encoding": {
            "x": {"field": "one", "type": "quantitative"},
            "y": None,
            "yOffset": None,
            "color": None,
        },
    }
    values = [{**vars(point), "state": point.state} for point in points]
    height = ROW_HEIGHT * len(places) * max(1, (len(domain) + 1) // 2) + 20
    return panel_spec(height, values, encoding=where, layer=[one, interval, dot])


def _plain(x: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in x.items() if key != "field"}
