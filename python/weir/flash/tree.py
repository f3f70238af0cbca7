"""The tree of blocks, and whether what a file says of it agrees with itself."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from weir.units import count_words

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]

LEAF, PARENT_OF_LEAF, ANCESTOR = 1, 2, 3
"""Types of blocks."""
FACES = ("-x", "+x", "-y", "+y", "-z", "+z")
AXES = 3
NONE, BOUNDARY = -1, -20
"""In that list: no block of this level there; beyond the domain, also everything below."""
MOST_LEVELS = 20
_ROUNDING = 1e-6
_OFF_GRID = 1e-2
"""Of a block's edge: single precision places blocks within it down to 17 levels."""


@dataclass(frozen=True)
class Tree:
    """levels: from 1. gid: by their numbers from 1 the neighbours in the order of FACES, the parent, and the
    children, x the fastest; 15 of each block in three dimensions. boxes: lower and upper end along x, y and
    z, shape (blocks, 3, 2); along an axis that the problem does not have, all from 0 to 1."""

    levels: Integers
    types: Integers
    gid: Integers
    boxes: NDArray[np.float64]
    dimensions: int = AXES

    @property
    def _faces(self) -> int:
        return 2 * self.dimensions

    @property
    def _children_words(self) -> str:
        return ("two", "four", "eight")[self.dimensions - 1]

    @property
    def _parents(self) -> Integers:
        return self.gid[:, self._faces]

    @property
    def _children(self) -> Integers:
        return self.gid[:, self._faces + 1 :]

    @property
    def is_placed(self) -> bool:
        """False of FLASH-IO's own files, whose bounding boxes are all zeros."""
        return bool(self._has_extent.all())

    @property
    def _has_extent(self) -> Flags:
        """Of each block, whether it has a place and a size."""
        lower, upper = self.boxes[:, :, 0], self.boxes[:, :, 1]
        return np.asarray((np.isfinite(self.boxes).all(2) & (upper > lower)).all(1))

    @property
    def leaves(self) -> Flags:
        """Which blocks are."""
        return np.asarray(self.types == LEAF)

    @cached_property
    def domain(self) -> NDArray[np.float64]:
        """Its lower and upper end along x, y and z, shape (3, 2)."""
        return np.stack([self.boxes[:, :, 0].min(0), self.boxes[:, :, 1].max(0)], axis=1)

    def fills(self, stated: Sequence[tuple[float, float]]) -> bool:
        """Is this the domain, within single precision?"""
        ends = np.asarray(stated)
        rounding = _ROUNDING * np.abs(ends).max()
        apart = np.abs(self.domain - ends)[: self.dimensions]
        return bool((apart <= rounding).all())

    @cached_property
    def roots(self) -> Integers:
        """Blocks of level 1 along x, y and z."""
        edges = self.boxes[np.argmin(self.levels)]
        ratio = (self.domain[:, 1] - self.domain[:, 0]) / (edges[:, 1] - edges[:, 0])
        return np.asarray(np.rint(ratio).astype(np.int64) >> self._halvings(int(self.levels.min())))

    def _halvings(self, levels: Integers | int) -> Integers:
        """How often a block of these levels is halved along x, y and z; shape (..., 3)."""
        has_axis = np.arange(AXES) < self.dimensions
        return np.asarray((np.asarray(levels)[..., None] - 1) * has_axis)

    def extents(self, levels: Integers | int) -> Integers:
        """Blocks of these levels along x, y and z, where they cover the domain; shape (..., 3)."""
        return np.asarray(self.roots << self._halvings(levels))

    @cached_property
    def places(self) -> Integers:
        """Each block's place along x, y and z, counted in blocks of its level."""
        share = (self.boxes[:, :, 0] - self.domain[:, 0]) / (self.domain[:, 1] - self.domain[:, 0])
        return np.asarray(np.rint(share * self.extents(self.levels)), np.int64)

    def faults(self) -> Iterator[str]:
        """What disagrees, each once with the first block concerned; nothing if all is well. Blocks that are
        on no grid have no neighbours to compare with, and nothing else is told of them."""
        found = list(self._bad_numbers()) or list(self._off_the_grid())
        yield from found
        if not found:
            yield from self._bad_links()
            share = self.leaf_volume()
            if share != 1:
                yield f"the leaves' volumes add up to {share:.10g} of the domain's"

    def _bad_numbers(self) -> Iterator[str]:
        blocks = len(self.levels)
        yield from _first(~self._has_extent, "has no extent")
        yield from _first(
            (self.levels < 1) | (self.levels > MOST_LEVELS), f"has a level outside 1 to {MOST_LEVELS}"
        )
        yield from _first(~np.isin(self.types, (LEAF, PARENT_OF_LEAF, ANCESTOR)), "has a type outside 1 to 3")
        known = (self.gid >= 1) & (self.gid <= blocks) | (self.gid == NONE)
        known[:, : self._faces] |= self.gid[:, : self._faces] <= BOUNDARY
        yield from _first(~np.all(known, 1), "names a neighbour, parent or child that does not exist")

    def _off_the_grid(self) -> Iterator[str]:
        extents = self.extents(self.levels)
        if (self.roots < 1).any():
            yield "blocks do not divide the domain evenly"
            return
        edge = (self.domain[:, 1] - self.domain[:, 0]) / extents
        grid = self.domain[:, 0] + self.places * edge
        apart = np.abs(self.boxes - np.stack([grid, grid + edge], axis=2)) > _OFF_GRID * edge[:, :, None]
        yield from _first(apart.any((1, 2)), "does not lie on the grid of its level")
        for level in np.unique(self.levels):
            same = np.flatnonzero(self.levels == level)
            _, first = np.unique(self._keys(same, self.places[same]), return_index=True)
            if len(first) < len(same):
                yield f"{count_words(len(same) - len(first), 'block')} of level {level} at a place of another"

    def leaf_volume(self) -> float:
        """Of all leaves, as a share of the domain, in whole numbers."""
        deepest = int(self.levels.max())
        counts = np.bincount(self.levels[self.leaves], minlength=deepest + 1)
        finer = self.dimensions
        volume = sum(int(count) << finer * (deepest - level) for level, count in enumerate(counts) if count)
        whole = int(np.prod(self.roots)) << finer * (deepest - 1)
        return volume / whole

    def _bad_links(self) -> Iterator[str]:
        children = self._children
        has_children = (children > 0).all(1)
        yield from _first(
            ~has_children & (children > 0).any(1), f"has some of {self._children_words} children, but not all"
        )
        type_of_child = np.where(children > 0, self.types[np.maximum(children - 1, 0)], 0)
        expected = np.where((type_of_child == LEAF).any(1), PARENT_OF_LEAF, ANCESTOR)
        expected[~has_children] = LEAF
        yield from _first(self.types != expected, "is of another type than its children make it")
        yield from self._bad_parents()
        for face in range(self._faces):
            yield from self._bad_neighbours(face)

    def _bad_parents(self) -> Iterator[str]:
        parent, is_root = self._parents, self.levels == 1
        yield from _first((parent > 0) == is_root, "has no parent, or one at level 1")
        named = np.maximum(parent - 1, 0)
        above = (self.levels[named] == self.levels - 1) & (self.places[named] == self.places >> 1).all(1)
        which = (self.places & 1) @ [1, 2, 4]
        is_known = self._children[named, which] == np.arange(1, len(parent) + 1)
        wrong = ~is_root & (parent > 0) & ~(above & is_known)
        yield from _first(wrong, "is not the child of its parent at that place")
        children = self._children
        foreign = (children > 0) & (
            parent[np.maximum(children - 1, 0)] != np.arange(1, len(parent) + 1)[:, None]
        )
        yield from _first(foreign.any(1), "has a child with another parent")

    def _bad_neighbours(self, face: int) -> Iterator[str]:
        """Along one axis in one direction."""
        axis, step, where = face // 2, 2 * (face % 2) - 1, f"at {FACES[face]}"
        named = self.gid[:, face]
        there = self.places.copy()
        there[:, axis] += step
        extent = self.extents(self.levels)[:, axis]
        outside = (there[:, axis] < 0) | (there[:, axis] >= extent)
        there[:, axis] %= extent
        back = self.gid[np.maximum(named - 1, 0), face ^ 1]
        one_sided = (named > 0) & (back != np.arange(1, len(named) + 1))
        yield from _first(one_sided, f"has a neighbour {where} that does not have it as neighbour")
        expected = self._blocks_at(there)
        misplaced = np.where(named > 0, named != expected, (expected > 0) & ~outside & (named == NONE))
        yield from _first(misplaced, f"has another neighbour {where} than the block that lies there")
        yield from _first((named <= BOUNDARY) & ~outside, f"ends the domain {where}, in the middle of it")
        above = self.gid[np.maximum(self._parents - 1, 0), face]
        alone = (named == NONE) & self.leaves & (self.levels > 1) & (above == NONE)
        yield from _first(alone, f"is a leaf more than one level below what lies {where}")

    def _keys(self, blocks: Integers, places: Integers) -> Integers:
        """A number for each place among those of one level."""
        extents = self.extents(self.levels[blocks])
        key: Integers = (places[:, 2] * extents[:, 1] + places[:, 1]) * extents[:, 0] + places[:, 0]
        return key

    def _blocks_at(self, places: Integers) -> Integers:
        """The numbers, from 1, of the blocks that lie there at the level of each block; 0 for none."""
        found = np.zeros(len(places), np.int64)
        for level in np.unique(self.levels):
            same = np.flatnonzero(self.levels == level)
            keys, wanted = self._keys(same, self.places[same]), self._keys(same, places[same])
            order = np.argsort(keys)
            at = np.minimum(np.searchsorted(keys[order], wanted), len(same) - 1)
            found[same] = np.where(keys[order[at]] == wanted, same[order[at]] + 1, 0)
        return found


def _first(wrong: NDArray[np.bool_] | np.bool_, words: str) -> Iterator[str]:
    """The first block that is wrong, from 1 as in the file, and how many more there are."""
    blocks = np.flatnonzero(wrong) + 1
    if len(blocks):
        more = f" (and {len(blocks) - 1:,} more)" if len(blocks) > 1 else ""
        yield f"block {blocks[0]} {words}{more}"
