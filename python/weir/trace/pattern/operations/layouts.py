"""Where the bytes of a datatype lie: a nest of strides, or blocks one by one."""

from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from weir.trace.pattern.nests import Integers, displacements, nest_of

MOST_BLOCKS = 1 << 22
"""More blocks are not expanded one by one."""


class Unknown(Exception):
    """Where bytes lie is not known; the text says why."""


@dataclass(frozen=True)
class Nest:
    """Blocks of one length in a nest of strides, in the order of the type."""

    start: int
    levels: tuple[tuple[int, int], ...]
    """Count and stride, from the slowest; no count is 1."""
    length: int

    @property
    def blocks(self) -> int:
        """How many there are."""
        return prod(count for count, _ in self.levels) if self.length else 0

    @property
    def size(self) -> int:
        """Bytes of all of them."""
        return self.blocks * self.length


@dataclass(frozen=True)
class Blocks:
    """Blocks of any lengths anywhere, in the order of the type."""

    starts: Integers
    lengths: Integers

    @property
    def blocks(self) -> int:
        """How many there are."""
        return len(self.starts)

    @property
    def size(self) -> int:
        """Bytes of all of them."""
        return int(self.lengths.sum())


Places = Nest | Blocks
NOTHING = Nest(0, (), 0)


@dataclass(frozen=True, eq=False)
class Layout:
    """A datatype: its blocks, its lower bound and its extent."""

    places: Places
    lower: int
    extent: int

    @cached_property
    def size(self) -> int:
        """Bytes of data."""
        return self.places.size

    @cached_property
    def blocks(self) -> Blocks:
        """One by one, adjacent ones joined. Raises Unknown where they are too many."""
        return _joined(blocks_of(self.places))

    @cached_property
    def is_whole(self) -> bool:
        """Is it contiguous, so that several in a row have no gaps?"""
        return self.places == Nest(0, (), self.extent)


def blocks_of(places: Places) -> Blocks:
    """One by one. Raises Unknown where they are too many."""
    if isinstance(places, Blocks):
        return places
    if places.blocks > MOST_BLOCKS:
        raise Unknown("it has too many blocks")
    starts = places.start + displacements(places.levels) if places.length else np.zeros(0, np.int64)
    return Blocks(starts, np.full(len(starts), places.length, np.int64))


def _joined(blocks: Blocks) -> Blocks:
    """With blocks that follow each other without a gap joined."""
    filled = blocks.lengths > 0
    starts, lengths = blocks.starts[filled], blocks.lengths[filled]
    begins = np.flatnonzero(np.append(True, starts[1:] != starts[:-1] + lengths[:-1])[: len(starts)])
    return Blocks(starts[begins], np.add.reduceat(lengths, begins) if len(begins) else lengths)


def shifted(places: Places, by: int) -> Places:
    """Displaced by so many bytes."""
    if isinstance(places, Nest):
        return Nest(places.start + by, places.levels, places.length) if places.length else NOTHING
    return Blocks(places.starts + by, places.lengths)


def repeated(places: Places, count: int, stride: int) -> Places:
    """`count` copies, each `stride` bytes behind the one before."""
    if count <= 0 or places.blocks == 0:
        return NOTHING
    if count == 1:
        return places
    if isinstance(places, Blocks):
        if places.blocks * count > MOST_BLOCKS:
            raise Unknown("it has too many blocks")
        starts = (places.starts + (stride * np.arange(count))[:, None]).reshape(-1)
        return Blocks(starts, np.tile(places.lengths, count))
    if not places.levels and stride == places.length:
        return Nest(places.start, (), places.length * count)
    if places.levels and stride == places.levels[0][0] * places.levels[0][1]:
        (inner, step), *rest = places.levels
        return Nest(places.start, ((count * inner, step), *rest), places.length)
    return Nest(places.start, ((count, stride), *places.levels), places.length)


def concatenated(parts: list[Places]) -> Places:
    """One after the other."""
    parts = [part for part in parts if part.blocks]
    if len(parts) <= 1:
        return parts[0] if parts else NOTHING
    if sum(part.blocks for part in parts) > MOST_BLOCKS:
        raise Unknown("it has too many blocks")
    some = [blocks_of(part) for part in parts]
    return simplest(
        Blocks(np.concatenate([one.starts for one in some]), np.concatenate([one.lengths for one in some]))
    )


def simplest(blocks: Blocks) -> Places:
    """As a nest, where they are one."""
    joined = _joined(blocks)
    if not joined.blocks:
        return NOTHING
    if (joined.lengths == joined.lengths[0]).all():
        levels = nest_of(joined.starts)
        if levels is not None:
            return Nest(int(joined.starts[0]), tuple(levels), int(joined.lengths[0]))
    return joined
