"""A file as a view shows it: tiles of its file type, one extent after the other."""

import numpy as np

from weir.trace.pattern.nests import Integers
from weir.trace.pattern.operations.layouts import (
    MOST_BLOCKS,
    Blocks,
    Layout,
    Nest,
    Places,
    Unknown,
    blocks_of,
    repeated,
    shifted,
    simplest,
)

NOT_KNOWN = -1
"""In place of a position."""
MOST_COMPARED = 1 << 26


class Tiles:
    """Maps offsets in the file, from the displacement on, to positions in the view's data, and back."""

    def __init__(self, layout: Layout) -> None:
        """Raises Unknown where no data can be addressed."""
        self._layout = layout
        self.size, self.extent = layout.size, layout.extent
        if self.size == 0 or self.extent <= 0:
            raise Unknown("its views have no bytes, or repeat themselves at the same place")
        nest = layout.places
        self._blocks: Blocks | None = None
        if isinstance(nest, Nest) and not _overtakes(nest):
            first, last, in_order = nest.start, _end(nest), True
        else:
            self._blocks = layout.blocks
            ends = self._blocks.starts + self._blocks.lengths
            first, last = int(self._blocks.starts.min()), int(ends.max())
            in_order = bool((self._blocks.starts[1:] >= ends[:-1]).all())
        self._apart = in_order and last - first <= self.extent
        self._first = first

    def positions(self, places: Integers) -> Integers:
        """The positions in the view's data of these bytes of the file; NOT_KNOWN where the view does not show
        them, or shows them several times."""
        if not self._apart:
            return self._among_all(places)
        tile = (places - self._first) // self.extent
        rest = places - tile * self.extent
        before = self._before(rest)
        known = (tile >= 0) & (before != NOT_KNOWN)
        return np.where(known, tile * self.size + before, NOT_KNOWN)

    def _before(self, places: Integers) -> Integers:
        """The same within the first tile."""
        if self._blocks is None:
            return self._before_in_nest(places)
        starts, lengths = self._blocks.starts, self._blocks.lengths
        at = np.maximum(np.searchsorted(starts, places, "right") - 1, 0)
        into = places - starts[at]
        before = (np.cumsum(lengths) - lengths)[at] + into
        return np.where((into >= 0) & (into <= lengths[at]), before, NOT_KNOWN)

    def _before_in_nest(self, places: Integers) -> Integers:
        nest = self._layout.places
        assert isinstance(nest, Nest)
        into, before, bytes_each = places - nest.start, np.zeros(len(places), np.int64), nest.size
        for count, stride in nest.levels:
            bytes_each //= count
            which = np.clip(into // stride, 0, count - 1)
            into, before = into - which * stride, before + which * bytes_each
        return np.where((into >= 0) & (into <= nest.length), before + into, NOT_KNOWN)

    def _among_all(self, places: Integers) -> Integers:
        """Where tiles overlap, or their blocks are not in file order: compare with all blocks."""
        blocks = self._layout.blocks
        if blocks.blocks * len(places) > MOST_COMPARED:
            raise Unknown("its views reach over themselves")
        tile, into = np.divmod(places[:, None] - blocks.starts, self.extent)
        before = np.cumsum(blocks.lengths) - blocks.lengths
        found = np.full(len(places), NOT_KNOWN)
        count = np.zeros(len(places), np.int64)
        while (into < blocks.lengths).any():  # a block may reach beyond several tiles
            here = (into < blocks.lengths) & (tile >= 0)
            row, column = np.nonzero(here)
            found[row] = tile[row, column] * self.size + before[column] + into[row, column]
            count += here.sum(axis=1)
            tile, into = tile - 1, into + self.extent
        return np.where(count == 1, found, NOT_KNOWN)

    def one_piece(self, position: Integers, length: Integers) -> Integers:
        """Offsets in the file of data from these positions on, where `length` bytes are one piece; else
        NOT_KNOWN."""
        tile, rest = np.divmod(position, self.size)
        if self._blocks is None:
            nest = self._layout.places
            assert isinstance(nest, Nest)
            place, bytes_each = nest.start + tile * self.extent, nest.size
            for count, stride in nest.levels:
                bytes_each //= count
                which, rest = np.divmod(rest, bytes_each)
                place = place + which * stride
            return np.where(rest + length <= nest.length, place + rest, NOT_KNOWN)
        starts, lengths = self._blocks.starts, self._blocks.lengths
        ends = np.cumsum(lengths)
        at = np.searchsorted(ends, rest, "right")
        into = rest - (ends - lengths)[at]
        return np.where(into + length <= lengths[at], starts[at] + into + tile * self.extent, NOT_KNOWN)

    def pieces(self, rest: int, length: int) -> Places:
        """Where `length` bytes of data from position `rest` in a tile on lie, in file order. Raises Unknown
        where there are too many pieces, or they overlap."""
        whole, more = divmod(length, self.size)
        if rest == 0 and more == 0 and self._apart:
            places = repeated(self._layout.places, whole, self.extent)
            return places if isinstance(places, Nest) else simplest(places)
        blocks = self._layout.blocks
        tiles = -(-(rest + length) // self.size)
        if blocks.blocks * tiles > MOST_BLOCKS:
            raise Unknown("its requests have too many pieces")
        every = blocks_of(repeated(blocks, tiles, self.extent))
        ends = np.cumsum(every.lengths)
        begins = ends - every.lengths
        starts = every.starts + np.maximum(rest - begins, 0)
        until = every.starts + every.lengths - np.maximum(ends - (rest + length), 0)
        kept = until > starts
        return in_file_order(Blocks(starts[kept], (until - starts)[kept]))


def in_file_order(blocks: Blocks) -> Places:
    """The same by offset. Raises Unknown where they overlap."""
    order = np.argsort(blocks.starts, kind="stable")
    starts, lengths = blocks.starts[order], blocks.lengths[order]
    if (starts[1:] < starts[:-1] + lengths[:-1]).any():
        raise Unknown("its requests read the same bytes several times")
    return simplest(Blocks(starts, lengths))


def relative(places: Places) -> tuple[int, Places]:
    """Where they begin, and the same from there on."""
    start = places.start if isinstance(places, Nest) else int(places.starts[0])
    return start, shifted(places, -start)


def _overtakes(nest: Places) -> bool:
    """Are its blocks not in file order, or do they overlap?"""
    assert isinstance(nest, Nest)
    reach = nest.length
    for count, stride in reversed(nest.levels):
        if stride < reach:
            return True
        reach += (count - 1) * stride
    return False


def _end(nest: Places) -> int:
    assert isinstance(nest, Nest)
    return nest.start + nest.length + sum((count - 1) * stride for count, stride in nest.levels)
