"""One image with its axes and its colour bar, as a Vega-Lite spec; and where the edge of the periodic box is
drawn, so that it cuts no clump that it need not."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from weir.cloud.fields import Values
from weir.cloud.image import ColourScale, coarser, data_url, enlarged, png
from weir.figures.encoding import LIGHT
from weir.figures.figure import Spec

LONG_SIDE_PIXELS = 840
MOST_CELLS = 1600
"""Along a side; where there are more, a pixel is the mean of some."""
MOST_ASPECT = 3
"""Of a panel's sides; a longer and thinner box is drawn wider than it is."""
_ROUNDING = 1e-6
"""Of the numbers at an axis."""
PIXELS_PER_POINT = 2
"""A PNG file has as many pixels for each of Vega's; so each cell is as many whole pixels as any other."""
Start = tuple[int, int]
"""The row and the column of cells at which a picture begins."""


@dataclass(frozen=True)
class Side:
    """An axis of the panel: its name, the box's length along it, and the place at which the panel begins, in
    lengths of the box along x. The box is periodic: beyond its length it begins again."""

    axis: str
    length: float
    start: float = 0

    @property
    def title(self) -> str:
        """The text next to the axis."""
        return f"{self.axis} (box length{' along x' if self.length != 1 else ''} = 1)"


@dataclass(frozen=True)
class Panel:
    """values: rows upwards, columns to the right. quantity: what the colour bar says."""

    title: str
    quantity: str
    values: Values
    scale: ColourScale
    right: Side
    up: Side

    def spec(self) -> Spec:
        """The image, below axes that nothing else is drawn on."""
        cells = coarser(self.values, MOST_CELLS)
        rows, columns = _pixels_of_a_cell(*cells.shape)
        pixels = enlarged(self.scale.shades(cells), rows, columns)
        height, width = (size / PIXELS_PER_POINT for size in pixels.shape)
        image = {
            "mark": {"type": "image", "width": width, "height": height, "aspect": False, "smooth": False}
            | {"align": "left", "baseline": "top"},
            "encoding": {
                "x": {"value": 0},
                "y": {"value": 0},
                "url": {"value": data_url(png(pixels))},
            },
        }
        axes = {
            "mark": {"type": "point", "size": 0},
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
            "layer": [image, axes],
        }


def _pixels_of_a_cell(rows: int, columns: int) -> tuple[int, int]:
    """Up and to the right: whole numbers, alike where the panel does not become too thin."""
    longest = max(rows, columns)
    size = max(1, round(LONG_SIDE_PIXELS / longest))
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
    if not side.start:
        return {}
    inside = f"datum.value < {side.length - _ROUNDING} ? datum.value : datum.value - {side.length}"
    return {"labelExpr": f"format(round(({inside}) / {_ROUNDING}) * {_ROUNDING}, '~g')"}


def _colour_bar(quantity: str, scale: ColourScale, height: float) -> dict[str, Any]:
    bar = {
        "orient": "right",
        "direction": "vertical",
        "title": quantity,
        "titleColor": LIGHT["ink"],
        "titleOrient": "right",
        "gradientLength": height,
        "gradientThickness": 14,
        "gradientOpacity": 1,
        "offset": 12,
    }
    colour = {"field": "colour", "type": "quantitative", "scale": scale.vega()}
    return colour | {"legend": bar | scale.ticks()}


def start_of(columns: Values) -> Start:
    """Where to begin, given what is not to be cut, in columns along the line of sight."""
    return _start(columns, 0), _start(columns, 1)


def moved(panel: Panel, start: Start, cell_edge: float) -> Panel:
    """The same panel, begun there; the edge of a cell is in lengths of the box along x."""
    row, column = start
    return replace(
        panel,
        values=np.roll(panel.values, (-row, -column), (0, 1)),
        right=replace(panel.right, start=column * cell_edge),
        up=replace(panel.up, start=row * cell_edge),
    )


def _start(columns: Values, axis: int) -> int:
    """The edge as it is in the file, where it cuts through nothing above the mean; else the place where it
    cuts the least, of several the one in the middle. What it cuts is the largest value on both its sides."""
    cuts = np.minimum(columns, np.roll(columns, 1, axis)).max(1 - axis)
    if cuts[0] <= columns.mean():
        return 0
    least = np.flatnonzero(cuts == cuts.min())
    return int(least[(len(least) - 1) // 2])
