"""Times of cases as stacked bars: a part on the other, the interval of the whole, and its number on top."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from weir.figures.encoding import LINE, TICKS, nominal, panel_spec, quantitative
from weir.figures.figure import Spec

HEIGHT = 300
LINES = "split(datum.label, '|')"
REST = "other"
COLOURS = ("initialisation", "write", "solve", REST)
"""In the order of the palette, so that writes are vermilion as everywhere."""


@dataclass(frozen=True)
class Piece:
    """A part of a bar: its seconds, and its number as text."""

    name: str
    seconds: float
    text: str


@dataclass(frozen=True)
class Bar:
    """`label` has its lines separated by "|"; the interval of the whole is null where it has none."""

    label: str
    pieces: tuple[Piece, ...]
    whole_s: float
    low_s: float | None
    high_s: float | None
    text: str
    """The whole, with its interval."""
    short: str
    """The same for the top of the bar."""

    @property
    def top_s(self) -> float:
        """The highest point that is drawn."""
        return max(sum(piece.seconds for piece in self.pieces), self.whole_s, self.high_s or 0.0)


def stacked_bars(bars: Sequence[Bar], parts: Sequence[str], highest_s: float) -> Spec:
    """The spec of one panel. `parts` are stacked in this order; `highest_s` is the greatest of all panels."""
    y = {"scale": {"domain": [0, highest_s * 1.1], "nice": False}, "axis": {"tickCount": 6, "format": TICKS}}
    place: dict[str, Any] = {
        "x": nominal(
            "label",
            sort=[bar.label for bar in bars],
            title=None,
            axis={"labelAngle": 0, "labelExpr": LINES, "labelLimit": 160},
        )
    }
    stack = {
        "mark": {"type": "bar", "width": {"band": 0.62}},
        "encoding": {
            "y": quantitative("seconds", "median time (s)", stack="zero", **y),
            "color": nominal(
                "part",
                scale={"domain": sorted(parts, key=_colour)},
                legend={"title": None, "symbolType": "square", "columns": 4, "values": [*parts]},
            ),
            "opacity": {"condition": {"test": f"datum.part === '{REST}'", "value": 0.3}, "value": 0.92},
            "order": {"field": "at", "type": "quantitative"},
            "tooltip": [
                {"field": "case"},
                {"field": "part"},
                {"field": "text", "title": "median [95 % interval]"},
                {"field": "whole", "title": "total"},
            ],
        },
    }
    wholes = [_whole(bar) for bar in bars]
    ends = {"y": quantitative("low", "median time (s)", **y), "y2": {"field": "high"}}
    interval = {
        "data": {"values": wholes},
        "transform": [{"filter": "isValid(datum.low)"}],
        "mark": {"type": "errorbar", "color": LINE, "ticks": {"size": 12, "color": LINE}, "thickness": 2},
        "encoding": ends,
    }
    label = {
        "data": {"values": wholes},
        "mark": {"type": "text", "baseline": "bottom", "dy": -5},
        "encoding": {"y": quantitative("top", "median time (s)", **y), "text": {"field": "short"}},
    }
    values = [_piece(bar, piece, parts) for bar in bars for piece in bar.pieces]
    return panel_spec(HEIGHT, values, encoding=place, layer=[stack, interval, label])


def _colour(part: str) -> int:
    return COLOURS.index(part) if part in COLOURS else len(COLOURS)


def _piece(bar: Bar, piece: Piece, parts: Sequence[str]) -> dict[str, Any]:
    return {
        "label": bar.label,
        "case": bar.label.replace("|", " "),
        "part": piece.name,
        "at": parts.index(piece.name),
        "seconds": float(f"{piece.seconds:.5g}"),
        "text": piece.text,
        "whole": bar.text,
    }


def _whole(bar: Bar) -> dict[str, Any]:
    return {
        "label": bar.label,
        "low": bar.low_s,
        "high": bar.high_s,
        "top": bar.top_s,
        "short": bar.short,
    }
