"""A symmetric matrix as a chart: a cell for each pair, its colour the number."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from weir.figures.encoding import log_ticks, nominal, panel_spec, quantitative
from weir.figures.figure import Spec

HEIGHT = 420
MOST_MIRRORED = 64
"""Members; of more, each pair has one cell instead of two, so that the page stays small."""
MOST_LABELS = 32
"""Names along an axis; of more, every second, third, ... is written."""
LOG_FROM_RATIO = 10
FRAME = "#D55E00"


@dataclass(frozen=True)
class Cell:
    """A pair by the numbers of its members, its number, and whether it is in a frame."""

    pair: tuple[int, int]
    value: float
    framed: bool = False


def heat_map(names: Sequence[str], cells: Sequence[Cell], title: str, *, great_is_slow: bool) -> Spec:
    """The spec of one panel: members downwards and to the right in their order. What is slow is bright; a
    cell without a number stays empty."""
    values = [value for cell in cells for value in _places(names, cell)]
    low, high = min(cell.value for cell in cells), max(cell.value for cell in cells)
    shown = list(names[:: -(-len(names) // MOST_LABELS)])
    axis = {"values": shown, "grid": False, "labelLimit": 110, "labelOverlap": False}
    place = {
        "y": nominal("y", sort=None, title=None, axis=axis, scale=_band(names)),
        "x": nominal("x", sort=None, title=None, axis={**axis, "labelAngle": -90}, scale=_band(names)),
    }
    bar = {
        "orient": "right",
        "direction": "vertical",
        "gradientLength": HEIGHT - 40,
        "titleOrient": "right",
        "titleLimit": HEIGHT,
    }
    tooltip = [
        {"field": "y", "title": "from"},
        {"field": "x", "title": "to"},
        quantitative("v", title),
    ]
    coloured = {
        "color": quantitative(
            "v", title, scale=_colours(low, high, great_is_slow), legend=bar | _ticks(low, high)
        )
    }
    framed = {
        "transform": [{"filter": "datum.f"}],
        "mark": {
            "type": "rect",
            "filled": False,
            "stroke": FRAME,
            "strokeWidth": 2 if len(names) <= MOST_MIRRORED else 1,
        },
        "encoding": {"color": None},
    }
    layer: list[Spec] = [
        {"mark": {"type": "rect"}, "encoding": {**coloured, "tooltip": tooltip}},
        *([framed] if any(cell.framed for cell in cells) else []),
    ]
    return panel_spec(HEIGHT, values, encoding=place, layer=layer)


def _band(names: Sequence[str]) -> dict[str, Any]:
    return {
        "domain": list(names),
        "paddingInner": 0.04 if len(names) <= MOST_LABELS else 0,
        "paddingOuter": 0,
    }


def _places(names: Sequence[str], cell: Cell) -> list[dict[str, Any]]:
    """The cell below the diagonal, and of few members the one above it too."""
    one, other = (names[member] for member in sorted(cell.pair))
    own: dict[str, Any] = {"v": cell.value} | ({"f": 1} if cell.framed else {})
    below = {"y": other, "x": one, **own}
    return [below, {"y": one, "x": other, **own}] if len(names) <= MOST_MIRRORED else [below]


def _is_logarithmic(low: float, high: float) -> bool:
    return low > 0 and high / low > LOG_FROM_RATIO


def _colours(low: float, high: float, great_is_slow: bool) -> dict[str, Any]:
    # One value has the colour in the middle, and not that of the slowest.
    ends = [low, high] if high > low * 1.02 else [low * 0.75, high * 1.25]
    kind = "log" if _is_logarithmic(low, high) else "linear"
    return {"type": kind, "scheme": "viridis", "domain": ends, "nice": False, "zero": False} | (
        {} if great_is_slow else {"reverse": True}
    )


def _ticks(low: float, high: float) -> dict[str, Any]:
    return {"values": log_ticks(low, high)} if _is_logarithmic(low, high) else {"tickCount": 5}
