"""The least of a function of several numbers from 0 to 1: a Latin hypercube, then Nelder and Mead's simplex
from its best points. The same seed gives the same search.

J. A. Nelder and R. Mead, A simplex method for function minimization, The Computer Journal 7 (1965). That a
simple search with a source does as well as experts: arXiv 2403.13918.
"""

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

Point = tuple[float, ...]
Function = Callable[[Point], float]
TRIED_FROM = 2
"""Best points of the hypercube from which a simplex begins."""
SIDE, NARROW = 0.15, 0.03
"""Of the first simplex: after a hypercube, and around a point that is good already."""
FLAT = 1e-6


@dataclass
class Search:
    """A function that is called `most` times at most; each point once."""

    function: Function
    most: int
    settled: bool = False
    """Whether it came to rest before it had made all calls."""
    _known: dict[Point, float] = field(default_factory=dict)

    @property
    def best(self) -> Point:
        """The point with the least value so far."""
        return self.best_points(1)[0]

    def best_points(self, count: int) -> list[Point]:
        """So many, the best first."""
        return sorted(self._known, key=lambda point: self._known[point])[:count]

    @property
    def value(self) -> float:
        """That value."""
        return self._known[self.best]

    @property
    def calls(self) -> int:
        """How often the function was called."""
        return len(self._known)

    def __call__(self, point: Sequence[float]) -> float:
        """The function there. Raises Exhausted where it may not be called any more."""
        place = tuple(round(min(1.0, max(0.0, x)), 9) for x in point)
        if place not in self._known:
            if self.calls >= self.most:
                raise Exhausted
            self._known[place] = self.function(place)
        return self._known[place]


class Exhausted(Exception):
    """The function was called as often as it may."""


def minimise(function: Function, start: Point, most: int, seed: int) -> Search:
    """From the start and from a hypercube with a third of the calls."""
    search, dimensions = Search(function, most), len(start)
    with suppress(Exhausted):
        search(start)
        for point in hypercube(max(1, most // 3), dimensions, random.Random(seed)):
            search(point)
        several = search.best_points(TRIED_FROM)
        for at, point in enumerate(several):
            share = (most - search.calls) // (len(several) - at)
            _simplex(search, point, SIDE, search.calls + share)
        search.settled = _simplex(search, search.best, NARROW, most)
    return search


def refine(function: Function, start: Point, most: int) -> Search:
    """From a point that is good already."""
    search = Search(function, most)
    with suppress(Exhausted):
        _simplex(search, start, NARROW, most)
    return search


def hypercube(count: int, dimensions: int, chance: random.Random) -> list[Point]:
    """So many points, one in each slice of each dimension."""
    slices = [chance.sample(range(count), count) for _ in range(dimensions)]
    return [tuple((row[at] + chance.random()) / count for row in slices) for at in range(count)]


def _simplex(search: Search, start: Point, side: float, until: int) -> bool:
    """Nelder and Mead's with their usual steps, until it is flat or the search has made so many calls:
    whether it is flat."""
    corners = [start]
    for at, x in enumerate(start):
        step = side if x + side <= 1 else -side
        corners.append((*start[:at], x + step, *start[at + 1 :]))
    values = [search(corner) for corner in corners]
    while search.calls < until:
        order = sorted(range(len(corners)), key=lambda at: values[at])
        corners, values = [corners[at] for at in order], [values[at] for at in order]
        if abs(values[-1] - values[0]) <= FLAT * (abs(values[0]) + FLAT):
            return True
        before = search.calls
        _step(search, corners, values)
        if search.calls == before and _is_small(corners):
            return True
    return False


def _step(search: Search, corners: list[Point], values: list[float]) -> None:
    """Moves the worst corner, the last one, or all towards the best."""
    centre = [sum(xs) / len(xs) for xs in zip(*corners[:-1], strict=True)]

    def along(factor: float) -> Point:
        pairs = zip(centre, corners[-1], strict=True)
        return tuple(min(1.0, max(0.0, middle + factor * (middle - worst))) for middle, worst in pairs)

    reflected = along(1.0)
    value = search(reflected)
    if value < values[0]:
        further = along(2.0)
        other = search(further)
        reflected, value = (further, other) if other < value else (reflected, value)
    elif value >= values[-2]:
        inside = along(0.5 if value < values[-1] else -0.5)
        other = search(inside)
        if other >= min(value, values[-1]):
            _shrink(search, corners, values)
            return
        reflected, value = inside, other
    corners[-1], values[-1] = reflected, value


def _shrink(search: Search, corners: list[Point], values: list[float]) -> None:
    best = corners[0]
    for at in range(1, len(corners)):
        corners[at] = tuple((a + b) / 2 for a, b in zip(best, corners[at], strict=True))
        values[at] = search(corners[at])


def _is_small(corners: list[Point]) -> bool:
    return all(max(xs) - min(xs) < FLAT for xs in zip(*corners, strict=True))
