"""Arithmetic of nests of strides: how many pieces, how they follow each other, how far they reach."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

Levels = tuple[tuple[int, int], ...]
"""Count and stride in bytes of each level, the slowest first."""
Jumps = tuple[tuple[int, int], ...]
"""How far the next piece begins behind the end of one, in bytes, and how often: 0 is contiguous."""


@dataclass(frozen=True)
class Nest:
    """Pieces of `length` bytes of one rank, and how the ranks are displaced; both merged."""

    levels: Levels
    length: int
    rank_levels: Levels = ()

    @property
    def pieces(self) -> int:
        """The pieces of a rank."""
        return pieces(self.levels)

    @property
    def reach(self) -> int:
        """Bytes from the first byte of a rank to its last one, gaps included."""
        return reach(self.levels) + self.length

    @property
    def reach_of_all(self) -> int:
        """The same for all ranks together."""
        return reach(self.rank_levels) + self.reach

    @property
    def lowest(self) -> int:
        """The first byte of all ranks, from the first one's first piece on: 0, less where strides lead
        backwards."""
        return sum(min(0, (count - 1) * stride) for count, stride in (*self.levels, *self.rank_levels))

    @property
    def rank_stride(self) -> int | None:
        """How far apart neighbouring ranks are; None where they are displaced in several levels, or not at
        all."""
        return self.rank_levels[0][1] if len(self.rank_levels) == 1 else None


def merged(levels: Iterable[tuple[int, int]]) -> Levels:
    """The same places in the same order with as few levels as `weir-core` needs."""
    found: list[tuple[int, int]] = []
    for count, stride in levels:
        if count == 1:
            continue
        if found and found[-1][1] == count * stride:
            found[-1] = (found[-1][0] * count, stride)
        else:
            found.append((count, stride))
    return tuple(found)


def pieces(levels: Levels) -> int:
    """The number of places."""
    return prod(count for count, _ in levels)


def reach(levels: Levels) -> int:
    """From the first place to the last one, in bytes."""
    return sum((count - 1) * abs(stride) for count, stride in levels)


def adjacent(nest: Nest) -> int:
    """How many pieces of a rank lie side by side before the first gap."""
    count, next_at = 1, nest.length
    for inner, stride in reversed(nest.levels):
        if stride != next_at:
            break
        count, next_at = count * inner, next_at * inner
    return count


def jumps(levels: Levels, length: int) -> Jumps:
    """Between the pieces of a rank. Time grows with the levels."""
    found: list[tuple[int, int]] = []
    for at, (count, stride) in enumerate(levels):
        inner = sum((fewer - 1) * by for fewer, by in levels[at + 1 :])
        times = (count - 1) * pieces(levels[:at])
        if times:
            found.append((stride - inner - length, times))
    return tuple(found)


def times(found: Jumps, often: int) -> Jumps:
    """The same jumps so often."""
    return tuple((distance, count * often) for distance, count in found)
