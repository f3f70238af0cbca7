"""Times over message sizes as straight lines, each over a range of sizes: how many ranges there are, where
they end, and whether the time jumps there.

A range costs what its line misses of the measured times, relative to them and in units of the noise, and a
fixed price; the cheapest partition is found exactly by dynamic programming (B. Jackson et al., An algorithm
for optimal partitioning of data on an interval, IEEE Signal Processing Letters 12, 2005). The price is set by
simulation: tests/python/analyse/test_ranges.py holds it to no invented jump in 95 % of the trials. Few sizes
of a range that lie off all others are left out at a price of their own: a disturbed size is no range.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

LEAST_SIZES = 3
"""Of a range: a line through two sizes fits any two times."""
PRICE = 4.0
"""Of a range, in squared units of noise, times the logarithm of the number of sizes."""
PRICE_OF_SUSPICION = 2.0
"""The same for places where more sizes are to be measured before anything is said."""
PRICE_LEFT_OUT = 15.0
LEAST_NOISE = 0.02
"""Relative. No real curve is made of lines: what a cache or a copy loop bends less than that is none of
ours."""
JUMP = 1.15
"""A boundary where the times on both sides differ by less is a change of slope, not a change of protocol."""
_MAD = 1.4826


@dataclass(frozen=True)
class Line:
    """`start_s` + `byte_s` * size, for sizes from `low` to `high` bytes, which were measured."""

    low: int
    high: int
    start_s: float
    byte_s: float
    count: int
    left_out: tuple[int, ...] = ()
    """Sizes that lie off all others."""

    def at(self, size: float) -> float:
        """The time at that size, in s."""
        return self.start_s + self.byte_s * size


@dataclass(frozen=True)
class Boundary:
    """Between two neighbouring sizes: how many times as long the upper line says a message takes there."""

    low: int
    high: int
    ratio: float

    @property
    def is_jump(self) -> bool:
        """Whether the time jumps, up or down."""
        return self.ratio >= JUMP or self.ratio <= 1 / JUMP


@dataclass(frozen=True)
class Fit:
    """Lines of growing size, the relative noise around them, and what is between them."""

    lines: tuple[Line, ...]
    noise: float

    def line_of(self, size: float) -> Line:
        """The line for that size; outside and between ranges the nearest by ratio of sizes."""
        return min(self.lines, key=lambda line: max(line.low / (size + 1), (size + 1) / (line.high + 2)))

    def at(self, size: float) -> float:
        """The time at that size, in s."""
        return self.line_of(size).at(size)

    @property
    def boundaries(self) -> list[Boundary]:
        """One between each two lines."""
        found = []
        for one, other in pairwise(self.lines):
            middle = math.sqrt(max(one.high, 1) * other.low)
            if other.at(middle) <= 0:  # a line that begins below 0 means nothing before its own range
                middle = other.low
            found.append(Boundary(one.high, other.low, other.at(middle) / max(one.at(middle), 1e-12)))
        return found


def fit_ranges(
    sizes: Sequence[int],
    times_s: Sequence[float],
    errors: Sequence[float] | None = None,
    price: float = PRICE,
) -> Fit:
    """The ranges of these sizes, in any order. `errors` are relative standard errors of the times, 0 where
    unknown. Of a size that is there several times the median counts. Raises ValueError without a size."""
    points = _in_order(sizes, times_s, errors or [0.0] * len(sizes))
    noise = noise_of(points)
    sums = [_sums(point.size, point.time_s, point.time_s * max(noise, point.error)) for point in points]
    found = [
        _line(points[first : last + 1], sums[first : last + 1]) for first, last in _cheapest(sums, price)
    ]
    return Fit(tuple(found), noise)


def refit(fit: Fit, sizes: Sequence[int], times_s: Sequence[float]) -> Fit:
    """The same ranges with the lines of other times of the same sizes, as for a bootstrap."""
    points = _in_order(sizes, times_s, [0.0] * len(sizes))
    lines = []
    for line in fit.lines:
        inside = [p for p in points if line.low <= p.size <= line.high and p.size not in line.left_out]
        _, start, slope = _solved(_total([_sums(p.size, p.time_s, p.time_s) for p in inside]))
        new = Line(line.low, line.high, start, slope, line.count, line.left_out)
        lines.append(new if inside else line)
    return Fit(tuple(lines), fit.noise)


@dataclass(frozen=True)
class _Point:
    size: int
    time_s: float
    error: float


def noise_of(points: Sequence[_Point]) -> float:
    """Relative noise: by how much a time misses the line through its two neighbours, of which the median over
    all sizes is hardly moved by few jumps. LEAST_NOISE where there are too few sizes."""
    misses = []
    for a, b, c in zip(points, points[1:], points[2:], strict=False):
        share = (b.size - a.size) / (c.size - a.size)
        parts = (a.time_s * (1 - share), c.time_s * share)
        misses.append(abs(b.time_s - sum(parts)) / math.hypot(b.time_s, *parts))
    if len(misses) < 2 * LEAST_SIZES - 2:
        return LEAST_NOISE
    return max(LEAST_NOISE, _MAD * statistics.median(misses))


def _in_order(sizes: Sequence[int], times_s: Sequence[float], errors: Sequence[float]) -> list[_Point]:
    if not sizes:
        raise ValueError("no size was measured")
    of: dict[int, list[tuple[float, float]]] = {}
    for size, time_s, error in zip(sizes, times_s, errors, strict=True):
        of.setdefault(size, []).append((max(time_s, 1e-12), error))
    medians = {
        size: [statistics.median(part) for part in zip(*some, strict=True)] for size, some in of.items()
    }
    return [_Point(size, *medians[size]) for size in sorted(medians)]


_Sums = tuple[float, float, float, float, float, float]
"""Of the weights, and of size, size squared, time, size times time and time squared with them."""


def _sums(size: float, time_s: float, scale: float) -> _Sums:
    w = scale**-2
    return (w, w * size, w * size * size, w * time_s, w * size * time_s, w * time_s * time_s)


def _total(several: Sequence[_Sums]) -> _Sums:
    w, x, xx, y, xy, yy = (math.fsum(part) for part in zip(*several, strict=True)) if several else [0.0] * 6
    return (w, x, xx, y, xy, yy)


def _solved(sums: _Sums) -> tuple[float, float, float]:
    """Cost, start and slope of the line of least squares; a slope below 0, or of one size, is 0."""
    w, x, xx, y, xy, yy = sums
    if w <= 0:
        return 0.0, 0.0, 0.0
    spread = xx - x * x / w
    slope = max((xy - x * y / w) / spread, 0.0) if spread > 1e-9 * xx else 0.0
    start = (y - slope * x) / w
    cost = yy - 2 * (start * y + slope * xy) + start * start * w + 2 * start * slope * x + slope * slope * xx
    return max(cost, 0.0), start, slope


def _without(sums: _Sums, one: _Sums) -> _Sums:
    a, b, c, d, e, f = (part - less for part, less in zip(sums, one, strict=True))
    return (a, b, c, d, e, f)


def _fitted(sums: Sequence[_Sums]) -> tuple[float, list[int]]:
    """The cost of one range, and the places that are left out, one after the other while that is cheaper: of
    four sizes one at most, so that enough are left."""
    total, left_out = _total(sums), list[int]()
    cost = _solved(total)[0]
    while len(left_out) < len(sums) // (LEAST_SIZES + 1) and cost > PRICE_LEFT_OUT:
        rest = [at for at in range(len(sums)) if at not in left_out]
        cheapest, at = min((_solved(_without(total, sums[at]))[0], at) for at in rest)
        if cheapest + PRICE_LEFT_OUT >= cost:
            break
        cost, total = cheapest, _without(total, sums[at])
        left_out.append(at)
    return cost + len(left_out) * PRICE_LEFT_OUT, left_out


def _cheapest(sums: Sequence[_Sums], price: float) -> list[tuple[int, int]]:
    """First and last place of each range of the cheapest partition."""
    count = len(sums)
    if count < 2 * LEAST_SIZES:
        return [(0, count - 1)]
    best, back = [0.0] + [math.inf] * count, [0] * (count + 1)
    for end in range(LEAST_SIZES, count + 1):
        for begin in [0, *range(LEAST_SIZES, end - LEAST_SIZES + 1)]:
            cost = best[begin] + _fitted(sums[begin:end])[0] + price * math.log(count)
            if cost < best[end]:
                best[end], back[end] = cost, begin
    found, end = [], count
    while end > 0:
        found.append((back[end], end - 1))
        end = back[end]
    return found[::-1]


def _line(points: Sequence[_Point], sums: Sequence[_Sums]) -> Line:
    left_out = _fitted(sums)[1]
    kept = [one for at, one in enumerate(sums) if at not in left_out]
    _, start, slope = _solved(_total(kept))
    lost = tuple(sorted(points[at].size for at in left_out))
    return Line(points[0].size, points[-1].size, start, slope, len(kept), lost)
