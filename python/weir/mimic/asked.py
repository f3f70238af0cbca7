"""What one access asks for: the sizes of its requests and how they lie, whether it is written as a nest of
strides, as lists, or as parts of an array."""

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import e

from msgspec import UNSET
from msgspec.structs import replace

from weir.mimic.listed import Scattered, distinct_share, levels_of, lie_of, nest_of, places_of
from weir.mimic.nests import Jumps, Levels, Nest, jumps, merged, times
from weir.mimic.overlap import Places, places_of_nest
from weir.mimic.parts import array_bytes, parts_of
from weir.pattern import Access, Level, Partition, Pattern, RankSet, numbers

BACKWARDS = -1
"""The jump that stands for all backwards ones of lists."""


@dataclass(frozen=True)
class Asked:
    """One access, once. `access` says all but where: its pieces are `sizes` (bytes and number, of all ranks),
    those of a typical rank `nest`, from `place` on."""

    access: Access
    alone: bool
    """Whether each rank has a file of its own."""
    place: int
    nest: Nest
    sizes: tuple[tuple[int, int], ...]
    evenness: float = 1.0
    """A rank's bytes on average, over those of the rank that has most."""
    seen_jumps: Jumps | None = None
    """Those between the pieces of all ranks; None where the nest tells them."""
    scattered: Scattered | None = None
    """How the pieces lie where place and nest do not tell it; None where they tell all."""
    others_ranks: bool = False
    """Whether the set of ranks in `access` is not the one that takes part, but the first ones instead."""
    apart: tuple[Places, ...] = ()
    """Where its pieces lie, relative to `place`, where the nest does not tell it."""

    @property
    def ranks(self) -> int:
        """How many ranks take part."""
        return self.access.ranks.count

    @property
    def requests(self) -> int:
        """Of all ranks."""
        return sum(count for _, count in self.sizes)

    @property
    def bytes(self) -> int:
        """Of all ranks."""
        return sum(size * count for size, count in self.sizes)

    @property
    def jumps(self) -> Jumps:
        """Between the pieces of a rank, of all ranks together."""
        if self.seen_jumps is not None:
            return self.seen_jumps
        return times(jumps(self.nest.levels, self.nest.length), self.ranks)

    @property
    def is_drawn(self) -> bool:
        """Do each rank's pieces lie as if drawn with replacement among as many places of its own? Then it
        accesses 1 - 1/e of them; this is nearer to that than to all."""
        alone = self.alone or self.ranks == 1
        return alone and self.scattered is not None and self.scattered.distinct < 1 - 0.5 / e

    @property
    def places(self) -> list[Places]:
        """Where its pieces lie, rank by rank."""
        if self.apart:
            return _moved(self.apart, self.place)
        return list(places_of_nest(self.nest, self.place, numbers(self.access.ranks)))

    def is_like(self, other: "Asked") -> bool:
        """Do they differ in nothing but their places?"""
        return self == dataclasses.replace(other, place=self.place)

    def moving(self, depth: int, step: int) -> "Asked":
        """The same in one more repeat than the `depth` ones around it, whose turns are `step` bytes apart."""
        change = {"advance": (*_padded(self.access.advance, depth), step)}
        if self.access.file_advance:
            change["file_advance"] = (*_padded(self.access.file_advance, depth), 0)
        return dataclasses.replace(self, access=replace(self.access, **change))


def asked_of(access: Access, pattern: Pattern) -> Asked:
    """What the access asks for. Lists in files have been read."""
    bare = replace(
        access,
        extent=UNSET,
        rank_levels=UNSET,
        lists=UNSET,
        lists_file=UNSET,
        array=UNSET,
        partition=UNSET,
        member=UNSET,
        ranks_per_group=UNSET,
    )
    alone = pattern.files[access.file].per_rank
    if access.array is not UNSET:
        return _of_array(bare, access, pattern, alone)
    if access.lists is not UNSET:
        start = access.extent.start if access.extent else 0
        return _of_lists(bare, access.lists, alone, start)
    return _of_extent(bare, access, alone)


def _of_extent(bare: Access, access: Access, alone: bool) -> Asked:
    assert access.extent is not UNSET
    extent = access.extent
    nest = Nest(_levels(extent.levels), extent.length, _levels(access.rank_levels or []))
    return _of_nest(bare, alone, extent.start + nest.lowest, nest)


def _of_nest(bare: Access, alone: bool, place: int, nest: Nest) -> Asked:
    draws = bare.order.draws if bare.order and bare.order.draws is not UNSET else None
    each = nest.pieces if draws is None else draws
    return Asked(bare, alone, place, nest, ((nest.length, each * bare.ranks.count),))


def _levels(levels: Sequence[Level]) -> Levels:
    return merged((level.count, level.stride) for level in levels)


def _of_array(bare: Access, access: Access, pattern: Pattern, alone: bool) -> Asked:
    """An access to an array is one request, whose pieces byte interfaces make one by one: list I/O. Of groups
    the members' parts count as so much longer pieces of their root."""
    assert access.array is not UNSET
    assert access.partition is not UNSET
    arrays = pattern.files[access.file].arrays or []
    array, by = arrays[access.array], (pattern.partitions or [Partition()])[access.partition]
    group = access.ranks_per_group or 1
    parts = parts_of(array, by, pattern.ranks if group > 1 else access.ranks.count)
    together = 1 if access.member is not UNSET or by.same else group
    nest, sizes = parts.nest, parts.sizes
    if group > 1:
        sizes = Counter({size * together: max(1, round(n / group)) for size, n in sizes.items()})
        nest = Nest(nest.levels, nest.length * together, merged(((access.ranks.count, nest.reach * group),)))
    place = array.offset if array.offset is not UNSET else sum(map(array_bytes, arrays[: access.array]))
    total = sum(size * count for size, count in sizes.items())
    even = total / (parts.most_bytes * together * access.ranks.count) if parts.most_bytes else 1.0
    several = nest.pieces > 1
    return Asked(replace(bare, together=several), alone, place, nest, _sorted(sizes), min(even, 1.0))


def _of_lists(bare: Access, lists: Sequence[Sequence[int]], alone: bool, start: int) -> Asked:
    """Time grows with the listed pieces."""
    ranks = [list(zip(one[::2], one[1::2], strict=True)) for one in lists]
    exact = nest_of(ranks)
    if exact:
        place, nest = exact
        return _of_nest(bare, alone, start + place, nest)
    sizes = Counter(length for pieces in ranks for _, length in pieces)
    totals = [sum(length for _, length in pieces) for pieces in ranks]
    seen = Counter(
        max(after[0] - sum(before), BACKWARDS) for pieces in ranks for before, after in pairwise(pieces)
    )
    first = min((offset for pieces in ranks for offset, _ in pieces), default=0)
    even = sum(totals) / (max(totals) * len(ranks)) if any(totals) else 1.0
    nest, order = _contiguous(sizes, bare.ranks.count), tuple(sorted(seen.items()))
    # In files of their own ranks never meet.
    places = () if alone else tuple(_moved(places_of(ranks, numbers(bare.ranks)), -first))
    lie = lie_of(places) if places else Scattered()
    return Asked(
        bare,
        alone,
        start + first,
        nest,
        _sorted(sizes),
        even,
        order,
        dataclasses.replace(lie, distinct=distinct_share(ranks)),
        apart=places,
    )


def _moved(several: Sequence[Places], by: int) -> list[Places]:
    return [Places(one.rank, one.start + by, one.levels, one.length) for one in several]


def _contiguous(sizes: Counter[int], ranks: int) -> Nest:
    """As many pieces of the mean size, one behind the other."""
    requests = max(1, round(sizes.total() / ranks))
    length = round(sum(size * n for size, n in sizes.items()) / max(sizes.total(), 1))
    return Nest(merged(((requests, length),)), length, merged(((ranks, requests * length),)))


def gathered(several: Sequence[Asked], *, in_turn: bool) -> Asked:
    """One access in place of several of one kind by the same ranks: as many requests and bytes, contiguous
    from the first place on. `in_turn`: nothing else is made between them."""
    first = min(several, key=lambda one: one.place)
    ranks = first.ranks
    sizes: Counter[int] = Counter()
    seen: Counter[int] = Counter()
    for one in several:
        sizes.update(dict(one.sizes))
        seen.update(dict(one.jumps))
    ends = [(one.place, one.place + one.nest.reach) for one in several]
    between = Counter(max(after[0] - before[1], BACKWARDS) for before, after in pairwise(ends))
    seen.update({distance: n * ranks for distance, n in between.items()})
    contiguous = seen == Counter({0: seen.total()})
    one_rank = (ranks == 1 or first.alone) and not any(
        one.nest.rank_levels or one.scattered for one in several
    )
    told = contiguous and one_rank and in_turn and len(sizes) == 1
    nest = _contiguous(sizes, ranks)
    told_nest = Nest(nest.levels, nest.length)
    meet = not told and not first.alone and ranks > 1
    places = tuple(_moved([place for one in several for place in one.places], -first.place)) if meet else ()
    return Asked(
        first.access,
        first.alone,
        first.place,
        told_nest if told else nest,
        _sorted(sizes),
        first.evenness,
        None if contiguous else tuple(sorted(seen.items())),
        None if told else lie_of(places) if meet else Scattered(),
        apart=places,
    )


def of_all_ranks(several: Sequence[Asked]) -> Asked:
    """One access in place of several that differ in ranks and places, and little in their sizes."""
    several = sorted(several, key=lambda one: one.access.ranks.first)
    first, count = several[0], sum(one.ranks for one in several)
    taking = _rank_set([one.access.ranks for one in several])
    access = replace(first.access, ranks=taking or RankSet(first=0, step=1, count=count))
    exact = _as_one_nest(several)
    place = min(one.place for one in several)
    # In files of their own ranks never meet.
    meet = not first.alone and (exact is None or taking is None)
    places = tuple(_moved([one for asked in several for one in asked.places], -place)) if meet else ()
    if exact:
        plain = _of_nest(access, first.alone, *exact)
        return dataclasses.replace(plain, others_ranks=taking is None, apart=places)
    sizes: Counter[int] = Counter()
    seen: Counter[int] = Counter()
    for one in several:
        sizes.update(dict(one.sizes))
        seen.update(dict(one.jumps))
    total = sum(one.bytes for one in several)
    even = total / (max(one.bytes / one.ranks for one in several) * count) if total else first.evenness
    lie = lie_of(places) if places else Scattered()
    order = None if seen == Counter({0: seen.total()}) else tuple(sorted(seen.items()))
    nest = _contiguous(sizes, count)
    return Asked(
        access, first.alone, place, nest, _sorted(sizes), min(even, 1.0), order, lie, taking is None, places
    )


def _as_one_nest(several: Sequence[Asked]) -> tuple[int, Nest] | None:
    """The nest of accesses that differ in nothing but their ranks and places."""
    levels, length = several[0].nest.levels, several[0].nest.length
    if any(one.scattered or (one.nest.levels, one.nest.length) != (levels, length) for one in several):
        return None
    if any(one.sizes != ((length, one.nest.pieces * one.ranks),) for one in several):
        return None
    own = Nest(levels, length).lowest
    found = sorted((one.rank, one.start + own) for asked in several for one in asked.places)
    displaced = levels_of([place for _, place in found])
    if displaced is None:
        return None
    nest = Nest(levels, length, displaced)
    return found[0][1] - own + nest.lowest, nest


def _rank_set(sets: Sequence[RankSet]) -> RankSet | None:
    """The ranks of all these sets as one, if they are equally far apart."""
    ranks = sorted(rank for one in sets for rank in numbers(one))
    step = ranks[1] - ranks[0]
    if ranks != list(range(ranks[0], ranks[-1] + 1, step)):
        return None
    return RankSet(first=ranks[0], count=len(ranks), step=step)


def _sorted(sizes: Mapping[int, int]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(sizes.items()))


def _padded(numbers: tuple[int, ...], depth: int) -> tuple[int, ...]:
    return (*numbers, *(0,) * (depth - len(numbers)))
