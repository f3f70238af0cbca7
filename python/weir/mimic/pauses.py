"""Steps without the computing between them. A pause ends no access: what a rank goes on with after it is the
rest of the same one, and ranks that pause at different places still do the same."""

from collections.abc import Iterable, Sequence
from itertools import groupby, product
from math import prod

from msgspec import UNSET
from msgspec.structs import replace

from weir.mimic.nests import merged
from weir.mimic.turns import kind_of, rolled
from weir.pattern import Access, Extent, Level, RankSet, Repeat, Step, disjoint, levels_of

MOST_LISTED = 100_000
"""Pieces of a rank that are listed where others beside them are."""


def without_pauses(steps: Sequence[Step], depth: int = 0) -> list[Step]:
    """The steps without computing, joined where it stood between them. `depth` repeats stand around them."""
    inner = [_inside(step, depth) for step in steps]
    kept = [step for step in inner if step.compute is UNSET and not _is_empty(step)]
    turned = any(
        one.repeat is not UNSET and step.repeat is UNSET for one, step in zip(steps, inner, strict=True)
    )
    if len(kept) == len(inner) and not turned:
        return kept
    joined: list[Step] = []
    for free, run in groupby(kept, _is_free):
        some = list(run)
        joined += _of_each(some, depth) if free else some
    return rolled(joined, depth)


def _inside(step: Step, depth: int) -> Step:
    if step.repeat is UNSET:
        return step
    steps = without_pauses(step.repeat.steps, depth + 1)
    if len(steps) == 1 and len(step.repeat.steps) > 1:
        whole = _of_all_turns(step.repeat.count, steps[0].access, depth)
        if whole is not None:
            return Step(access=whole)
    return Step(repeat=replace(step.repeat, steps=steps))


def _of_all_turns(count: int, one: Access | object, depth: int) -> Access | None:
    """The accesses of all turns as one, which goes on from turn to turn; None where it is none."""
    if not isinstance(one, Access) or one.extent is UNSET or one.together or any(one.file_advance[depth:]):
        return None
    stride = one.advance[depth] if len(one.advance) > depth else 0
    if not stride or (one.order and one.order.kind != "sequential"):
        return None
    places = merged(((count, stride), *((level.count, level.stride) for level in one.extent.levels)))
    return replace(one, extent=replace(one.extent, levels=levels_of(places)), advance=one.advance[:depth])


def _is_empty(step: Step) -> bool:
    """Is it a repeat of pauses only?"""
    return step.repeat is not UNSET and not step.repeat.steps


def _is_free(step: Step) -> bool:
    """May other ranks' steps come before it or after? Accesses may, and repeats of nothing else."""
    if step.repeat is not UNSET:
        return all(map(_is_free, step.repeat.steps))
    return step.access is not UNSET


def _of_each(run: list[Step], depth: int) -> list[Step]:
    """Of free steps: those of the same ranks together, and joined. As they are where ranks overlap."""
    by_ranks: list[tuple[RankSet, list[Step]]] = []
    for step in run:
        ranks = _ranks_of(step)
        own = next((some for known, some in by_ranks if known == ranks), None)
        if ranks is None or (own is None and not all(disjoint(ranks, known) for known, _ in by_ranks)):
            return _joined(run) if ranks is not None and len(by_ranks) == 1 else run
        if own is None:
            by_ranks.append((ranks, [step]))
        else:
            own.append(step)
    return _side_by_side([rolled(_joined(some), depth) for _, some in by_ranks])


def _ranks_of(step: Step) -> RankSet | None:
    """Those that make it; None where they are several sets."""
    if step.repeat is UNSET:
        return step.access.ranks if step.access is not UNSET else None
    inner = {_ranks_of(one) for one in step.repeat.steps}
    return inner.pop() if len(inner) == 1 else None


def _side_by_side(of_ranks: list[list[Step]]) -> list[Step]:
    """The first step of each, then the second of each, where repeats have as many turns; else the steps of
    one after those of the other."""
    if len({tuple(map(_outline, steps)) for steps in of_ranks}) > 1:
        return [step for steps in of_ranks for step in steps]
    found: list[Step] = []
    for several in zip(*of_ranks, strict=True):
        repeats = [step.repeat for step in several if step.repeat is not UNSET]
        if repeats:
            inner = _side_by_side([one.steps for one in repeats])
            found.append(Step(repeat=Repeat(count=repeats[0].count, steps=inner)))
        else:
            found += several
    return found


def _outline(step: Step) -> tuple[object, ...]:
    if step.repeat is not UNSET:
        return step.repeat.count, *map(_outline, step.repeat.steps)
    return (kind_of(step),)


def _joined(steps: Sequence[Step]) -> list[Step]:
    """With each access that goes on where the one before it ended as a part of that one."""
    found: list[Step] = []
    for step in steps:
        both = _both(found[-1].access, step.access) if found else None
        # A row that is whole again goes on with those before it.
        while both is not None:
            found.pop()
            step = Step(access=both)  # noqa: PLW2901 - it grows
            both = _both(found[-1].access, step.access) if found else None
        found.append(step)
    return found


def _both(one: Access | object, other: Access | object) -> Access | None:
    """The second one as the rest of the first; None where it is not."""
    if not isinstance(one, Access) or not isinstance(other, Access) or one.together:
        return None
    if _elsewhere(one) != _elsewhere(other) or (one.order and one.order.kind != "sequential"):
        return None
    if one.lists is not UNSET or other.lists is not UNSET:
        return _both_listed(one, other)
    if one.extent is UNSET or other.extent is UNSET:
        return None
    if one.extent.length != other.extent.length or (one.rank_levels or []) != (other.rank_levels or []):
        return None
    levels = _longer(one.extent, other.extent)
    return None if levels is None else replace(one, extent=replace(one.extent, levels=levels))


def _elsewhere(access: Access) -> Access:
    return replace(access, extent=UNSET, rank_levels=UNSET, lists=UNSET)


def _longer(one: Extent, other: Extent) -> list[Level] | None:
    """The levels of both as one nest: one is the other's next turns, or a turn of them alone."""
    ones, others = one.levels, other.levels
    if ones[1:] == others[1:] and ones and others and ones[0].stride == others[0].stride:
        count, more, stride, inner = ones[0].count, others[0].count, ones[0].stride, ones[1:]
    elif ones and ones[1:] == others:
        count, more, stride, inner = ones[0].count, 1, ones[0].stride, others
    elif others and others[1:] == ones:
        count, more, stride, inner = 1, others[0].count, others[0].stride, ones
    else:
        return None
    if other.start != one.start + count * stride:
        return None
    return [Level(count=count + more, stride=stride), *inner]


def _both_listed(one: Access, other: Access) -> Access | None:
    first, second = _listed(one), _listed(other)
    if first is None or second is None or len(first) != len(second):
        return None
    lists = [a + b for a, b in zip(first, second, strict=True)]
    return replace(_elsewhere(one), lists=lists)


def _listed(access: Access) -> list[list[int]] | None:
    """Offsets and lengths in turn; None where they are too many, or an array's."""
    if access.lists is not UNSET:
        return access.lists if access.extent is UNSET else None
    if (
        access.extent is UNSET
        or access.ranks.count * prod(n.count for n in access.extent.levels) > MOST_LISTED
    ):
        return None
    extent = access.extent
    displaced = _places(access.rank_levels or []) if access.rank_levels else [0] * access.ranks.count
    pieces = list(_places(extent.levels))
    return [[at for piece in pieces for at in (extent.start + by + piece, extent.length)] for by in displaced]


def _places(levels: Iterable[Level]) -> list[int]:
    return [sum(at) for at in product(*([turn * one.stride for turn in range(one.count)] for one in levels))]
