"""What one access asks for: the sizes of its requests and how they lie, whether it is written as a nest of
strides, as lists, or as parts of an array."""

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from msgspec import UNSET
from msgspec.structs import replace

from weir.mimic.nests import Jumps, Levels, Nest, jumps, merged
from weir.mimic.parts import array_bytes, parts_of
from weir.pattern import Access, Level, Partition, Pattern

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
    """Those between listed pieces; None where the nest tells them."""

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
        """Between the pieces of a rank."""
        if self.seen_jumps is not None:
            return self.seen_jumps
        return jumps(self.nest.levels, self.nest.length)

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
    draws = access.order.draws if access.order and access.order.draws is not UNSET else None
    each = nest.pieces if draws is None else draws
    return Asked(bare, alone, extent.start, nest, ((extent.length, each * access.ranks.count),))


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
    sizes: Counter[int] = Counter()
    seen: Counter[int] = Counter()
    totals, first = [], None
    for one in lists:
        pieces = list(zip(one[::2], one[1::2], strict=True))
        sizes.update(length for _, length in pieces)
        totals.append(sum(length for _, length in pieces))
        seen.update(max(after[0] - sum(before), BACKWARDS) for before, after in pairwise(pieces))
        starts = [offset for offset, _ in pieces]
        first = min(starts if first is None else [first, *starts], default=None)
    ranks = bare.ranks.count
    requests = max(1, round(sizes.total() / ranks))
    length = round(sum(totals) / max(sizes.total(), 1))
    nest = Nest(merged(((requests, length),)), length, merged(((ranks, requests * length),)))
    even = sum(totals) / (max(totals) * ranks) if any(totals) else 1.0
    return Asked(bare, alone, start + (first or 0), nest, _sorted(sizes), even, tuple(sorted(seen.items())))


def gathered(several: Sequence[Asked], ranks: int | None = None) -> Asked:
    """One access in place of several of one kind: as many requests and bytes, contiguous from the first
    place on. With `ranks` they are those of so many ranks in all, each of which has one of them."""
    first = min(several, key=lambda one: one.place)
    sizes: Counter[int] = Counter()
    seen: Counter[int] = Counter()
    for one in several:
        sizes.update(dict(one.sizes))
        seen.update(dict(one.jumps))
    if ranks is None:
        ends = [(one.place, one.place + one.nest.reach) for one in several]
        seen.update(max(after[0] - before[1], BACKWARDS) for before, after in pairwise(ends))
    access = several[0].access
    count = ranks or access.ranks.count
    if ranks is not None:
        access = replace(access, ranks=replace(access.ranks, first=0, step=1, count=ranks))
    requests = max(1, round(sizes.total() / count))
    length = round(sum(size * n for size, n in sizes.items()) / max(sizes.total(), 1))
    nest = Nest(merged(((requests, length),)), length, merged(((count, requests * length),)))
    total = sum(one.bytes for one in several)
    even = (
        total / (max(one.bytes / one.ranks for one in several) * count) if ranks and total else first.evenness
    )
    order = None if seen == Counter({0: seen.total()}) else tuple(sorted(seen.items()))
    return Asked(access, first.alone, first.place, nest, _sorted(sizes), min(even, 1.0), order)


def _sorted(sizes: Mapping[int, int]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(sizes.items()))


def _padded(numbers: tuple[int, ...], depth: int) -> tuple[int, ...]:
    return (*numbers, *(0,) * (depth - len(numbers)))
