"""Whole numbers that are no quantities, such as levels of refinement or kinds of rock: a colour for each."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from weir.figures.image import SHADES, Values, palette


@dataclass(frozen=True)
class Levels:
    """A colour for each whole number from low to high."""

    kind: ClassVar[str] = "ordinal"
    low: int
    high: int

    def shades(self, values: Values) -> NDArray[np.uint8]:
        """The values' places in the palette."""
        step = (SHADES - 1) / max(self.high - self.low, 1)
        return np.asarray(np.rint((values - self.low) * step), np.uint8)

    def vega(self) -> dict[str, Any]:
        """The same as Vega-Lite's scale."""
        levels = range(self.low, self.high + 1)
        colours = palette()[self.shades(np.array(levels, float))]
        return {
            "domain": list(levels),
            "range": ["#{:02x}{:02x}{:02x}".format(*colour) for colour in colours],
        }

    def ticks(self) -> dict[str, Any]:
        """Squares, the greatest at the top."""
        greatest_first = list(range(self.high, self.low - 1, -1))
        square = {"symbolType": "square", "symbolSize": 200, "symbolOpacity": 1}
        return {**square, "values": greatest_first, "columns": 1, "titleOrient": "top"}
