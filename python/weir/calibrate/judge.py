"""From samples to what is said of them: levels, sides, comparisons. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from weir.analyse.statistics import estimate_median
from weir.calibrate.bench import Taken
from weir.calibrate.calibration import Comparison, Level, Side, Size
from weir.calibrate.curve import FLAT, Curve
from weir.calibrate.search import Plateau

WIDEST = 0.5
"""Of an interval wider than this share of its median, no statement is made about bandwidth."""


def level_of(samples: Sequence[float]) -> Level | None:
    """Median and interval; None for no sample."""
    estimate = estimate_median(samples)
    if estimate is None:
        return None
    return Level(n=estimate.count, median=estimate.median, low=estimate.low, high=estimate.high)


def side_of(plateau: Plateau, curve: Curve, *, seen: bool) -> Side:
    """The plateau with its numbers."""
    found = level_of(curve.pool(plateau.flat))
    precise = found is not None and _is_precise(found)
    return Side(
        plateau=found,
        size_bytes=plateau.flat[0] if plateau.flat else None,
        below_bytes=plateau.below,
        falls=plateau.falls,
        seen=seen,
        sure=is_sure(plateau, curve),
        precise=precise,
        why=plateau.why,
        sizes=[
            Size(bytes=size, level=level, flat=size in plateau.flat)
            for size in sorted(curve.samples)
            if (level := level_of(curve.at(size)))
        ],
    )


def compare_with(side: Side, direction: str, taken: Iterable[Taken]) -> list[Comparison]:
    """Each short way and size beside the plateau; empty where there is no plateau."""
    if side.plateau is None:
        return []
    groups: dict[tuple[str, int], list[float]] = {}
    for sample in taken:
        if sample.direction == direction:
            groups.setdefault((sample.way, sample.size), []).append(sample.bandwidth)
    levels = {key: level_of(values) for key, values in groups.items()}
    return [
        _comparison(way, direction, size, level, side.plateau)
        for (way, size), level in levels.items()
        if level is not None
    ]


def sizes_enough(comparisons: Sequence[Comparison], directions: Iterable[str]) -> dict[str, int]:
    """The ways that agree in every direction at one size, and the smallest such size."""
    wanted = set(directions)
    agreeing: dict[tuple[str, int], set[str]] = {}
    for comparison in comparisons:
        if comparison.agrees:
            agreeing.setdefault((comparison.way, comparison.size_bytes), set()).add(comparison.direction)
    found: dict[str, int] = {}
    for (way, size), directions_found in sorted(agreeing.items(), key=lambda item: item[0][1]):
        if wanted and directions_found >= wanted:
            found.setdefault(way, size)
    return found


def verdict_of(sides: Mapping[str, Side]) -> tuple[str, str]:
    """`found` or `inconclusive`, and in the latter case why."""
    unseen = [name for name, side in sides.items() if not side.seen]
    if unseen:
        return "inconclusive", f"the end of the cache was not seen ({' and '.join(unseen)})"
    for name, side in sides.items():
        if side.plateau is None:
            return "inconclusive", f"{name}: no plateau was found ({side.why})"
    for name, side in sides.items():
        if not side.sure:
            why = side.why or "the storage varies as much as a cache would change it"
            return "inconclusive", f"{name}: too few or too noisy samples ({why})"
    return "found", ""


def is_sure(plateau: Plateau, curve: Curve) -> bool:
    """Whether where the plateau begins is told from noise: from the size below it, or, where none is below,
    by a narrow interval."""
    if plateau.below is None:
        level = level_of(curve.pool(plateau.flat))
        return level is not None and _is_precise(level)
    return _stands_apart(curve.pool(plateau.flat), curve.at(plateau.below))


def _stands_apart(pool: Sequence[float], below: Sequence[float]) -> bool:
    """No sample of one lies among the other's; or, since of many samples some will, the intervals do not
    overlap."""
    if not pool or not below:
        return False
    if min(below) > max(pool) or max(below) < min(pool):
        return True
    flat, other = level_of(pool), level_of(below)
    return flat is not None and other is not None and _overlaps(flat, other) is False


def _comparison(way: str, direction: str, size: int, level: Level, plateau: Level) -> Comparison:
    ratio = level.median / plateau.median
    overlaps = _overlaps(level, plateau)
    near = 1 / (1 + FLAT) <= ratio <= 1 + FLAT
    return Comparison(
        way=way,
        direction=direction,
        size_bytes=size,
        level=level,
        ratio=ratio,
        agrees=near or (bool(overlaps) and _is_precise(level) and _is_precise(plateau)),
        overlaps=overlaps,
    )


def _overlaps(a: Level, b: Level) -> bool | None:
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return None
    return a.low <= b.high and b.low <= a.high


def _is_precise(level: Level) -> bool:
    if level.low is None or level.high is None:
        return False
    return (level.high - level.low) / level.median <= WIDEST
