"""From which value of an axis on more of it brings no more: the point of saturation.

Rule: the smallest value whose median, and that of every greater value measured up to the best one, is within
TOLERANCE of the best median. Whether noise could have moved that point is reported with it: it is `settled`
when the intervals of all smaller values stay below the threshold, that of the point itself stays above it,
and no greater value's interval reaches so high that the point would fall short of it. Where the point is the
best itself, the threshold is that of its interval's lower end: a best that may lie as low as what comes
before it is none. Overlapping intervals alone do not make a point saturated, since then the noisiest
measurement would saturate first.
"""

from collections.abc import Sequence
from dataclasses import dataclass

TOLERANCE = 0.05


@dataclass(frozen=True)
class Point:
    """One value of an axis and the median measured there (greater is better); the interval may be unknown."""

    value: float
    median: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Saturation:
    """Where an axis saturates (`value`), where the best median was (`best`), and whether noise leaves that
    in doubt."""

    value: float
    median: float
    best: Point
    settled: bool
    at_edge: bool
    """The best is the greatest value measured and nothing before it comes near: more might bring more."""


def find_saturation(points: Sequence[Point], tolerance: float = TOLERANCE) -> Saturation | None:
    """Where the points saturate; None for fewer than two points or where nothing was moved at all."""
    ordered = sorted(points, key=lambda point: point.value)
    if len(ordered) < 2:
        return None
    best = max(ordered, key=lambda point: point.median)
    if best.median <= 0:
        return None
    threshold = (1 - tolerance) * best.median
    index = ordered.index(best)
    while index > 0 and ordered[index - 1].median >= threshold:
        index -= 1
    found = ordered[index]
    return Saturation(
        value=found.value,
        median=found.median,
        best=best,
        settled=_is_settled(ordered, index, best, tolerance) and _is_not_outdone(ordered, index, tolerance),
        at_edge=found is ordered[-1],
    )


def _is_not_outdone(ordered: Sequence[Point], index: int, tolerance: float) -> bool:
    enough = ordered[index].median / (1 - tolerance)
    return all(point.high is not None and point.high <= enough for point in ordered[index + 1 :])


def _is_settled(ordered: Sequence[Point], index: int, best: Point, tolerance: float) -> bool:
    found = ordered[index]
    if found.low is None:
        return False
    threshold = (1 - tolerance) * (found.low if found is best else best.median)
    return found.low >= threshold and all(
        point.high is not None and point.high < threshold for point in ordered[:index]
    )
