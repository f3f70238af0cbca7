"""Trees of blocks by brute force: a set of places, and what follows from it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

Place = tuple[int, int, int, int]
"""Level from 1, and where along x, y and z, in blocks of that level."""
OUTFLOW = -32


@dataclass(frozen=True)
class MadeTree:
    """Blocks in FLASH's order: by Morton code, a parent before its first child. The domain is the unit cube,
    or as many of them as there are roots; of one or two dimensions, its extent along the other axes is 0."""

    blocks: tuple[Place, ...]
    roots: tuple[int, int, int] = (1, 1, 1)
    periodic: bool = False
    dimensions: int = 3

    @cached_property
    def numbers(self) -> dict[Place, int]:
        """Of the blocks, from 1."""
        return {place: at + 1 for at, place in enumerate(self.blocks)}

    def is_leaf(self, place: Place) -> bool:
        return self.children(place)[0] not in self.numbers

    def children(self, place: Place) -> list[Place]:
        return children(place, self.dimensions)

    def type_of(self, place: Place) -> int:
        if self.is_leaf(place):
            return 1
        return 2 if any(self.is_leaf(child) for child in self.children(place)) else 3

    def gid(self, place: Place) -> list[int]:
        level, *where = place
        found = []
        for axis, step in product(range(self.dimensions), (-1, 1)):
            there, extent = list(where), self.roots[axis] << (level - 1)
            there[axis] += step
            if 0 <= there[axis] < extent or self.periodic:
                there[axis] %= extent
                found.append(self.numbers.get((level, *there), -1))
            else:
                found.append(OUTFLOW)
        found.append(self.numbers[parent(place)] if level > 1 else -1)
        return found + [self.numbers.get(child, -1) for child in self.children(place)]

    def box(self, place: Place) -> NDArray[np.float64]:
        level, *where = place
        edge = 0.5 ** (level - 1)
        box = np.array([[at * edge, (at + 1) * edge] for at in where])
        box[self.dimensions :] = 0
        return box


def parent(place: Place) -> Place:
    level, x, y, z = place
    return level - 1, x // 2, y // 2, z // 2


def children(place: Place, dimensions: int = 3) -> list[Place]:
    """With x the fastest."""
    level, *where = place
    found: list[Place] = []
    for halves in product((0, 1), repeat=dimensions):
        steps = (*reversed(halves), 0, 0)
        x, y, z = (2 * at + steps[axis] if axis < dimensions else at for axis, at in enumerate(where))
        found.append((level + 1, x, y, z))
    return found


def refined(
    wanted: Callable[[NDArray[np.float64], int], bool],
    roots: tuple[int, int, int] = (1, 1, 1),
    dimensions: int = 3,
) -> MadeTree:
    """The roots; and of each block for which `wanted(box, level)`, the children; then balanced, so that
    blocks that share a face, an edge or a corner are at most one level apart."""
    tree = MadeTree((), roots, dimensions=dimensions)
    blocks = {(1, *at) for at in product(*map(range, roots))}
    waiting = list(blocks)
    while waiting:
        place = waiting.pop()
        below = tree.children(place)
        if place in blocks and below[0] not in blocks and wanted(tree.box(place), place[0]):
            blocks.update(below)
            waiting += below
    for place in sorted(blocks, reverse=True):
        _surround(blocks, place, tree)
    return in_order(blocks, roots, dimensions)


def in_order(
    blocks: Iterable[Place], roots: tuple[int, int, int] = (1, 1, 1), dimensions: int = 3
) -> MadeTree:
    return MadeTree(tuple(sorted(blocks, key=_morton)), roots, dimensions=dimensions)


def _surround(blocks: set[Place], place: Place, tree: MadeTree) -> None:
    """Makes the blocks around the parent, from which that block is at most one level apart."""
    if place[0] == 1:
        return
    level, *where = parent(place)
    for some in product((-1, 0, 1), repeat=tree.dimensions):
        steps = (*some, 0, 0)[:3]
        there = [at + step for at, step in zip(where, steps, strict=True)]
        inside = all(0 <= at < count << (level - 1) for at, count in zip(there, tree.roots, strict=True))
        wanted: Place = (level, *there)
        if inside and wanted not in blocks:
            blocks.update(tree.children(parent(wanted)))
            _surround(blocks, wanted, tree)


def _morton(place: Place) -> tuple[int, int]:
    level, *where = place
    fine = [at << (20 - level) for at in where]
    bits = (((fine[axis] >> bit) & 1) << (3 * bit + axis) for bit in range(24) for axis in range(3))
    return sum(bits), level


def of_blocks(count: int) -> MadeTree:
    """17: one of eight is refined; 73: all eight."""
    return refined(lambda box, level: level == 1 or (level == 2 and (count == 73 or not box[:, 0].any())))
