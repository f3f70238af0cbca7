"""One image with its axes, its colour bar and lines on top, as a Vega-Lite spec."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from weir.figures.encoding import LIGHT
from weir.figures.figure import Spec
from weir.figures.image import Scale, Values, coarser, data_url, enlarged, png

LONG_SIDE_PIXELS = 840
LEAST_TITLE = 220
"""Of a colour bar, in Vega's pixels; longer ones may be as long as the bar."""
MOST_CELLS = 2048
"""Along a side; where there are more, a pixel is the mean of some."""
MOST_ASPECT = 3
"""Of a panel's sides; a longer and thinner box is drawn wider than it is."""
_ROUNDING = 1e-6
"""Of the numbers at an axis."""
STROKES = (("#000000", 1.6, 0.3), ("#ffffff", 0.7, 0.9))
"""Of a line, one over the other: colour, width, opacity. Light with a dark rim, it is seen on any colour."""
PIXELS_PER_POINT = 2
"""A PNG file has as many pixels for each of Vega's; so each cell is as many whole pixels as any other."""
Line = Sequence[tuple[float, float]]
"""From place to place, each (right, up) as the axes count."""


@dataclass(frozen=True)
class Side:
    """An axis of the panel: its name and the text next to it, the box's length along it, and the place at
    which the panel begins. wraps: beyond its length the box begins again, at 0."""

    axis: str
    title: str
    length: float
    start: float = 0
    wraps: bool = False


@dataclass(frozen=True)
class Panel:
    """values: rows upwards, columns to the right. quantity: what the colour bar says. lines: drawn over the
    image, as one path. long_side: at least so many pixels, unless the cells have more. cell_pixels: of each
    cell to the right and upwards, where that does not follow from the long side; then no cells are joined."""

    title: str
    quantity: str
    values: Values
    scale: Scale
    right: Side
    up: Side
    lines: Sequence[Line] = ()
    long_side: int = LONG_SIDE_PIXELS
    cell_pixels: tuple[int, int] | None = None

    def spec(self) -> Spec:
        """The image, below axes that nothing else is drawn on."""
        image_of_cells, shape = self._image()
        height, width = (size / PIXELS_PER_POINT for size in shape)
        image = {
            "mark": {"type": "image", "width": width, "height": height, "aspect": False, "smooth": False}
            | {"align": "left", "baseline": "top"},
            "encoding": {
                "x": {"value": 0},
                "y": {"value": 0},
                "url": {"value": data_url(image_of_cells)},
            },
        }
        axes = {
            "mark": {"type": "point", "size": 0, "filled": True, "opacity": 1},
            "encoding": {
                "x": _axis("x", self.right),
                "y": _axis("y", self.up),
                "color": _colour_bar(self.quantity, self.scale, height),
            },
        }
        return {
            "title": {"text": self.title, "fontSize": 13},
            "width": width,
            "height": height,
            "data": {"values": [{"x": self.right.start, "y": self.up.start, "colour": self.scale.low}]},
            "layer": [image, axes, *self._drawn_lines()],
        }

    def _image(self) -> tuple[bytes, tuple[int, ...]]:
        """A PNG file, and its pixels upwards and to the right."""
        if self.cell_pixels:
            cells, (columns, rows) = self.values, self.cell_pixels
        else:
            cells = coarser(self.values, MOST_CELLS)
            rows, columns = _pixels_of_a_cell(cells.shape[0], cells.shape[1], self.long_side)
        gaps = np.isnan(cells)
        pixels = enlarged(self.scale.shades(np.where(gaps, self.scale.low, cells)), rows, columns)
        return png(pixels, enlarged(gaps, rows, columns) if gaps.any() else None), pixels.shape

    def _drawn_lines(self) -> list[Spec]:
        """A mark whose path is broken after each line."""
        if not self.lines:
            return []
        places = [place for line in self.lines for place in (*line, (None, None))]
        path = {"type": "line", "strokeCap": "square", "invalid": "break-paths-show-path-domains"}
        return [
            {
                "data": {"values": [{"x": x, "y": y, "at": at} for at, (x, y) in enumerate(places)]},
                "encoding": {channel: {"field": channel, "type": "quantitative"} for channel in "xy"}
                | {"order": {"field": "at", "type": "quantitative"}},
                "layer": [
                    {"mark": path | {"color": colour, "strokeWidth": width, "opacity": opacity}}
                    for colour, width, opacity in STROKES
                ],
            }
        ]


def _pixels_of_a_cell(rows: int, columns: int, long_side: int) -> tuple[int, int]:
    """Up and to the right: whole numbers, alike where the panel does not become too thin."""
    longest = max(rows, columns)
    size = max(1, round(long_side / longest))
    least = longest * size // MOST_ASPECT
    return max(size, least // rows), max(size, least // columns)


def _axis(channel: str, side: Side) -> dict[str, Any]:
    return {
        "field": channel,
        "type": "quantitative",
        "title": side.title,
        "scale": {"domain": [side.start, side.start + side.length], "nice": False, "zero": False},
        "axis": {
            "grid": False,
            "domain": True,
            "ticks": True,
            "tickCount": 6,
            "offset": 4,
            "labelFlush": False,
        }
        | _labels(side),
    }


def _labels(side: Side) -> dict[str, str]:
    """Places beyond the box's end as those that they are in the box."""
    if not side.wraps:
        return {}
    inside = f"datum.value < {side.length - _ROUNDING} ? datum.value : datum.value - {side.length}"
    return {"labelExpr": f"format(round(({inside}) / {_ROUNDING}) * {_ROUNDING}, '~g')"}


def _colour_bar(quantity: str, scale: Scale, height: float) -> dict[str, Any]:
    bar = {
        "orient": "right",
        "direction": "vertical",
        "title": quantity,
        "titleColor": LIGHT["ink"],
        "titleOrient": "right",
        "titleLimit": max(height, LEAST_TITLE),
        "gradientLength": height,
        "gradientThickness": 14,
        "gradientOpacity": 1,
        "offset": 12,
    }
    colour = {"field": "colour", "type": scale.kind, "scale": scale.vega()}
    return colour | {"legend": bar | scale.ticks()}
