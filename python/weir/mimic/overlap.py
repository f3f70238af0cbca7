"""How much of what ranks access they share, byte by byte: exact, from nests of strides and lists.

Time grows with the pieces of one period of the strides, not with all of them: between the places where a
progression of pieces begins or ends, what is covered repeats itself.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product, repeat
from math import lcm, prod

from weir.mimic.nests import Levels, Nest


@dataclass(frozen=True)
class Places:
    """Pieces of `length` bytes of one rank, from `start` on; strides may lead backwards, and may be 0."""

    rank: int
    start: int
    levels: Levels
    length: int

    @property
    def lowest(self) -> int:
        """The first byte of all."""
        return self.start + sum(min(0, (count - 1) * stride) for count, stride in self.levels)


Counted = tuple[int, int, int]
"""Bytes accessed, accessed by several ranks, touched."""


@dataclass(frozen=True)
class Coverage:
    """In bytes: what all ranks access, each rank counted for itself; what of it several do; what the file
    holds of it; and from its first byte to its last one."""

    accessed: int
    by_several: int
    touched: int
    span: int

    @property
    def overlap(self) -> float:
        """The share of the bytes that several ranks access."""
        return self.by_several / self.accessed if self.accessed else 0.0

    @property
    def free(self) -> float:
        """The share of the file, from the first byte to the last one, that nobody accesses."""
        return 1 - self.touched / self.span if self.span else 0.0


@dataclass(frozen=True)
class _Progression:
    """`count` pieces, `stride` bytes apart, that do not touch each other."""

    rank: int
    start: int
    count: int
    stride: int
    length: int

    @property
    def end(self) -> int:
        return self.start + (self.count - 1) * self.stride + self.length

    def within(self, begin: int, end: int) -> Iterator[tuple[int, int]]:
        """Its pieces, clipped."""
        first = max(0, (begin - self.start - self.length) // self.stride + 1)
        last = min(self.count, -(-(end - self.start) // self.stride))
        for number in range(first, last):
            place = self.start + number * self.stride
            yield max(place, begin), min(place + self.length, end)


def coverage(places: Iterable[Places]) -> Coverage:
    """Of all these together."""
    plain = [_plain(one) for one in places if one.length]
    turns, plain = _without_common_turns(plain)
    progressions = [part for one in plain for part in _progressions(one)]
    if not progressions:
        return Coverage(0, 0, 0, 0)
    bounds = sorted({bound for one in progressions for bound in (one.start, one.end)})
    totals = (0, 0, 0)
    if all(one.count == 1 for one in progressions):  # nothing repeats itself: one sweep over all of it
        totals = _in_window(progressions, bounds[0], bounds[-1])
        progressions = []
    for begin, end, active in _active(progressions, bounds):
        period = min(lcm(*{one.stride for one in active}), end - begin)
        whole, rest = divmod(end - begin, period)
        totals = _sum(totals, whole, _in_window(active, begin, begin + period))
        totals = _sum(totals, 1, _in_window(active, begin, begin + rest))
    times, apart = prod(count for count, _ in turns), sum((count - 1) * stride for count, stride in turns)
    accessed, several, touched = (times * total for total in totals)
    return Coverage(accessed, several, touched, bounds[-1] - bounds[0] + apart)


def _sum(totals: Counted, times: int, more: Counted) -> Counted:
    return totals[0] + times * more[0], totals[1] + times * more[1], totals[2] + times * more[2]


def shared(nest: Nest, turns: Levels = ()) -> float:
    """The share of the bytes of a nest that several of its ranks access, in all of these turns. Ranks that
    are not displaced access the same."""
    if not nest.rank_levels or any(stride == 0 for _, stride in nest.rank_levels):
        return 1.0
    if _lie_apart(nest, turns):
        return 0.0
    ranks = range(prod(count for count, _ in nest.rank_levels))
    return coverage(places_of_nest(nest, 0, ranks, turns)).overlap


def places_of_nest(nest: Nest, place: int, ranks: Iterable[int], turns: Levels = ()) -> Iterator[Places]:
    """What these ranks have of a nest whose first byte is there, whatever its strides."""
    start, levels = place - nest.lowest, (*turns, *nest.levels)
    of_ranks = product(*([at * stride for at in range(count)] for count, stride in nest.rank_levels))
    displaced = map(sum, of_ranks) if nest.rank_levels else repeat(0)
    for rank, by in zip(ranks, displaced, strict=False):
        yield Places(rank, start + by, levels, nest.length)


def _lie_apart(nest: Nest, turns: Levels) -> bool:
    """Is each stride of ranks, or around them, as long as what lies within? Then no two ranks meet."""
    own = [(abs(stride), count, False) for count, stride in (*turns, *nest.levels)]
    of_ranks = [(abs(stride), count, True) for count, stride in nest.rank_levels]
    reach, several = nest.length, False
    for stride, count, is_of_ranks in sorted(own + of_ranks):
        several = several or is_of_ranks
        if several and stride < reach:
            return False
        reach += (count - 1) * stride
    return True


def _plain(one: Places) -> Places:
    """The same bytes with positive strides, the greatest first, that leave gaps."""
    if not one.levels:
        return one
    length, levels = one.length, list[tuple[int, int]]()
    for count, stride in sorted(((n, abs(by)) for n, by in one.levels if n > 1 and by), key=lambda at: at[1]):
        if not levels and stride <= length:
            length += (count - 1) * stride
        elif levels and stride == levels[-1][0] * levels[-1][1]:
            levels[-1] = (levels[-1][0] * count, levels[-1][1])
        else:
            levels.append((count, stride))
    return Places(one.rank, one.lowest, tuple(reversed(levels)), length)


def _without_common_turns(several: Sequence[Places]) -> tuple[list[tuple[int, int]], list[Places]]:
    """Levels that are the outermost ones of all, and whose turns lie apart: each is like the first."""
    turns, left = list[tuple[int, int]](), list(several)
    while left and left[0].levels and all(one.levels[:1] == left[0].levels[:1] for one in left):
        count, stride = left[0].levels[0]
        inner = [Places(one.rank, one.start, one.levels[1:], one.length) for one in left]
        if max(map(_end, inner)) - min(one.start for one in inner) > stride:
            break
        turns.append((count, stride))
        left = inner
    return turns, left


def _end(one: Places) -> int:
    return one.start + sum((count - 1) * stride for count, stride in one.levels) + one.length


def _progressions(one: Places) -> Iterator[_Progression]:
    """The level with most pieces as a progression, from each place of the others."""
    if not one.levels:
        yield _Progression(one.rank, one.start, 1, one.length, one.length)
        return
    longest = max(range(len(one.levels)), key=lambda at: one.levels[at][0])
    count, stride = one.levels[longest]
    others = [range(0, n * by, by) for at, (n, by) in enumerate(one.levels) if at != longest]
    for displaced in product(*others):
        yield _Progression(one.rank, one.start + sum(displaced), count, stride, one.length)


def _active(
    progressions: Sequence[_Progression], bounds: Sequence[int]
) -> Iterator[tuple[int, int, list[_Progression]]]:
    """Between neighbouring bounds, the progressions that go on there."""
    begins: dict[int, list[_Progression]] = {}
    for one in progressions:
        begins.setdefault(one.start, []).append(one)
    active: list[_Progression] = []
    for begin, end in pairwise(bounds):
        active = [one for one in active if one.end > begin] + begins.get(begin, [])
        if active:
            yield begin, end, active


def _in_window(active: Iterable[_Progression], begin: int, end: int) -> Counted:
    """In the window from `begin` to before `end`."""
    pieces = sorted((one.rank, *piece) for one in active for piece in one.within(begin, end))
    changes: list[tuple[int, int]] = []
    before, until = None, 0
    for rank, low, high in pieces:
        if rank == before and low <= until:
            if high > until:
                changes[-1] = (high, -1)
                until = high
            continue
        changes += [(low, 1), (high, -1)]
        before, until = rank, high
    changes.sort()
    accessed = several = touched = ranks = 0
    for (place, change), (following, _) in pairwise(changes):
        ranks += change
        width = following - place
        accessed += width * ranks
        several += width * ranks * (ranks > 1)
        touched += width * (ranks > 0)
    return accessed, several, touched
