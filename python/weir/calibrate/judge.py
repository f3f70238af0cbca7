"""From samples to what is said of them: sides, comparisons, the verdict. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter

from weir.calibrate.bench import Taken
from weir.calibrate.calibration import DIRECTIONS, Comparison, Level, Side, Size
from weir.calibrate.search import FLAT, Curve, Plateau


def side_of(plateau: Plateau, curve: Curve, *, seen: bool) -> Side:
    """The plateau with its numbers."""
    found = Level.of(curve.pool(plateau.flat))
    levels = {size: Level.of(curve[size]) for size in sorted(curve)}
    return Side(
        plateau=found,
        size_bytes=plateau.flat[0] if plateau.flat else None,
        below_bytes=plateau.below,
        falls=plateau.falls,
        seen=seen,
        sure=plateau.is_sure(curve),
        precise=found is not None and found.is_precise,
        why=plateau.why,
        sizes=[Size(bytes=s, level=level, flat=s in plateau.flat) for s, level in levels.items() if level],
    )


def compare_with(sides: Mapping[str, Side], short: Iterable[Taken]) -> list[Comparison]:
    """Each short way and size beside the plateau of each direction that has one."""
    groups: dict[tuple[str, str, int], list[float]] = {}
    for one in short:
        groups.setdefault((one.direction, one.way, one.size), []).append(one.bandwidth)
    found = []
    for (direction, way, size), samples in sorted(groups.items(), key=lambda g: DIRECTIONS.index(g[0][0])):
        plateau, level = sides[direction].plateau, Level.of(samples)
        if plateau is None or level is None:
            continue
        ratio, overlaps = level.median / plateau.median, level.overlaps(plateau)
        is_near = 1 / (1 + FLAT) <= ratio <= 1 + FLAT
        found.append(
            Comparison(
                way=way,
                direction=direction,
                size_bytes=size,
                level=level,
                ratio=ratio,
                agrees=is_near or (bool(overlaps) and level.is_precise and plateau.is_precise),
                overlaps=overlaps,
            )
        )
    return found


def sizes_enough(comparisons: Sequence[Comparison]) -> dict[str, int]:
    """The ways that agree in both directions at one size, and the smallest such size."""
    agreeing = [(each.way, each.size_bytes) for each in comparisons if each.agrees]
    found: dict[str, int] = {}
    for way, size in sorted(dict.fromkeys(agreeing), key=itemgetter(1)):
        if agreeing.count((way, size)) == len(DIRECTIONS):
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
