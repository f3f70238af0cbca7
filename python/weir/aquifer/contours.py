"""Lines of equal values between the centres of cells."""

import math
from typing import Any

import contourpy
import numpy as np
from numpy.typing import NDArray

from weir.figures.image import Values
from weir.figures.panel import Line

ABOUT = 8
"""Lines in a picture."""
_EVEN = 1e-6
"""Values that span less than this share of the largest have no contours: single precision knows no more."""


def step_for(values: Values) -> float | None:
    """A plain number that divides their range into about as many parts; null where they are all the same."""
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if high - low <= _EVEN * max(abs(low), abs(high)):
        return None
    decade = 10.0 ** math.floor(math.log10((high - low) / ABOUT))
    return min((1 * decade, 2 * decade, 5 * decade, 10 * decade), key=lambda step: _apart(high - low, step))


def _apart(span: float, step: float) -> float:
    return abs(math.log(span / step / ABOUT))


def contours(values: Values, right: NDArray[np.float64], up: NDArray[np.float64], step: float) -> list[Line]:
    """At all multiples of the step; linear between the centres, whose places are `right` and `up`."""
    if min(values.shape) < 2:
        return []
    drawn = contourpy.contour_generator(right, up, np.ma.masked_invalid(values))
    first, last = math.ceil(np.nanmin(values) / step), math.floor(np.nanmax(values) / step)
    found: list[Line] = []
    for number in range(first, last + 1):
        lines: Any = drawn.lines(number * step)
        found += [[(float(x), float(y)) for x, y in line] for line in lines if len(line) > 1]
    return found
