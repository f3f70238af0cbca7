"""Flow lines of a velocity in a plane: evenly spread, each with an arrow.

They are traced by the midpoint rule in the picture's proportions, and end where they come near another one,
as B. Jobard and W. Lefer (1997) spread them, on a grid of squares of which each takes one line.
"""

import bisect
import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from weir.figures.image import Values
from weir.figures.panel import Line

SQUARES = 16
"""Along the short side."""
_STEPS = 5
"""Through a square."""
_LEAST_SQUARES = 3
"""That a line goes through; shorter ones are left out."""
_LONGEST = 40_000
_STILL = 1e-6
"""Of the largest velocity: what is slower does not flow."""
_ARROW = 0.45
"""Its length in squares."""
_OPENING = 0.45
"""Between its stem and each stroke, in radians."""
Place = tuple[float, float]


@dataclass(frozen=True)
class Flow:
    """The velocity at the centres of cells. edges: of the plane to the right and upwards, each (low, high);
    right, up: the centres' places; along_right, along_up: of shape (up, right), in any one unit. aspect: the
    picture's width over its height."""

    edges: tuple[tuple[float, float], tuple[float, float]]
    right: NDArray[np.float64]
    up: NDArray[np.float64]
    along_right: Values
    along_up: Values
    aspect: float

    def lines(self) -> list[Line]:
        """The lines, and their arrows as lines of three places; none where nothing flows."""
        speed = np.hypot(self.along_right, self.along_up)
        if min(speed.shape) < 2 or not np.nanmax(speed, initial=0) > 0:
            return []
        tracer = _Tracer(self, float(np.nanmax(speed)))
        found: list[Line] = []
        for line in tracer.lines():
            found += [tracer.places(line), tracer.places(_arrow(line, _ARROW * tracer.square))]
        return found


@dataclass
class _Tracer:
    """In the picture's units: its height is 1, its width the aspect. taken: the squares with a line."""

    flow: Flow
    fastest: float
    taken: set[tuple[int, int]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.square = min(1.0, self.flow.aspect) / SQUARES
        (left, end), (bottom, top) = self.flow.edges
        self.scale = self.flow.aspect / (end - left), 1 / (top - bottom)
        velocities = self.flow.along_right * self.scale[0], self.flow.along_up * self.scale[1]
        still = np.hypot(self.flow.along_right, self.flow.along_up) <= _STILL * self.fastest
        self.u, self.v = (np.where(still, 0, part).tolist() for part in velocities)
        self.x = ((self.flow.right - left) * self.scale[0]).tolist()
        self.y = ((self.flow.up - bottom) * self.scale[1]).tolist()

    def lines(self) -> Iterator[list[Place]]:
        """From the middle of every square that has none yet, those in the centre of the picture first."""
        width, height = math.ceil(self.flow.aspect / self.square), math.ceil(1 / self.square)
        squares = [(column, row) for row in range(height) for column in range(width)]
        squares.sort(key=lambda one: max(abs(2 * one[0] + 1 - width), abs(2 * one[1] + 1 - height)))
        for one in squares:
            if one in self.taken:
                continue
            start = (one[0] + 0.5) * self.square, (one[1] + 0.5) * self.square
            own: set[tuple[int, int]] = set()
            back, on = (self._half(start, sign, own) for sign in (-1, 1))
            if len(own) >= _LEAST_SQUARES:
                self.taken |= own
                yield [*back[:0:-1], *on]

    def _half(self, start: Place, sign: int, own: set[tuple[int, int]]) -> list[Place]:
        """With the flow, or against it, to where that ends or another line is; it may not come back to a
        square that it has left either."""
        line, here = [start], self._square(start)
        own.add(here)
        size = sign * self.square / _STEPS
        while len(line) < _LONGEST:
            at = line[-1]
            middle = self._moved(at, at, size / 2)
            end = middle and self._moved(at, middle, size)
            if end is None:
                break
            there = self._square(end)
            if there != here:
                if there in self.taken or there in own:
                    break
                own.add(there)
                here = there
            line.append(end)
        return line

    def _square(self, at: Place) -> tuple[int, int]:
        return int(at[0] / self.square), int(at[1] / self.square)

    def _moved(self, start: Place, at: Place, size: float) -> Place | None:
        """From the start by that length, in the direction of the flow elsewhere; null where nothing flows
        there, and outside."""
        u, v = self._velocity(at)
        speed = math.hypot(u, v)
        if not speed > 0:
            return None
        x, y = start[0] + size * u / speed, start[1] + size * v / speed
        return (x, y) if 0 <= x <= self.flow.aspect and 0 <= y <= 1 else None

    def _velocity(self, at: Place) -> Place:
        """Linear between the centres of cells, and beyond the outer ones as there."""
        (i, s), (j, t) = _between(self.x, at[0]), _between(self.y, at[1])
        u, v = (
            (part[j][i] * (1 - s) + part[j][i + 1] * s) * (1 - t)
            + (part[j + 1][i] * (1 - s) + part[j + 1][i + 1] * s) * t
            for part in (self.u, self.v)
        )
        return u, v

    def places(self, line: list[Place]) -> Line:
        """As the axes count."""
        (left, _), (bottom, _) = self.flow.edges
        return [(left + x / self.scale[0], bottom + y / self.scale[1]) for x, y in line]


def _between(centres: list[float], at: float) -> tuple[int, float]:
    """The centre below the place, and how far that is to the next one, 0 to 1."""
    low = min(max(bisect.bisect_left(centres, at) - 1, 0), len(centres) - 2)
    share = (at - centres[low]) / (centres[low + 1] - centres[low])
    return low, min(max(share, 0.0), 1.0)


def _arrow(line: list[Place], size: float) -> list[Place]:
    """Its head in the middle of a line, as two strokes."""
    tip = line[len(line) // 2]
    before = line[len(line) // 2 - 1]
    angle = math.atan2(tip[1] - before[1], tip[0] - before[0])
    ends = [
        (tip[0] - size * math.cos(angle + turn), tip[1] - size * math.sin(angle + turn))
        for turn in (-_OPENING, _OPENING)
    ]
    return [ends[0], tip, ends[1]]
