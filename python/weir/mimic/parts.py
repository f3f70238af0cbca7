"""Parts of arrays as requests: how many of which size, and how those of a typical rank lie.

In closed form: time grows with dimensions, counts that a partition lists, and blocks of ranks of one size,
not with ranks and elements. The same rules as `part_of` of src/pattern/array.cpp, which decides.
"""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod

from weir.mimic.nests import Levels, Nest, merged
from weir.pattern import Array, Compound, Partition


@dataclass(frozen=True)
class Parts:
    """What the ranks have of an array: the requests of all of them by size, a typical rank's nest, and the
    bytes of the rank that has most."""

    sizes: Counter[int]
    nest: Nest
    most_bytes: int


def element_bytes(array: Array) -> int:
    """Of one element."""
    return array.element.bytes if isinstance(array.element, Compound) else int(array.element[1:])


def array_bytes(array: Array) -> int:
    """Of all of it."""
    return prod(array.shape) * element_bytes(array)


def parts_of(array: Array, by: Partition, ranks: int) -> Parts:
    """How so many ranks divide the array. The partition fits, as `weir-core` has found."""
    row = element_bytes(array) * prod(array.shape[1:])
    if by.same:
        length = by.same[1] * row
        return Parts(Counter({length: ranks}), Nest((), length, ((ranks, 0),) if ranks > 1 else ()), length)
    if by.counts:
        return _by_counts(by.counts, by.cycle, row, ranks)
    return _on_a_grid(array, by, ranks)


def _by_counts(counts: list[int], cycle: bool, row: int, ranks: int) -> Parts:
    turns, rest = divmod(ranks, len(counts)) if cycle else (1, 0)
    having = Counter({count: times * turns for count, times in Counter(counts).items()})
    having.update(counts[:rest])
    del having[0]
    taking = having.total()
    rows = sum(count * times for count, times in having.items())
    length = round(rows / taking) * row if taking else 0
    nest = Nest((), length, merged(((taking, length),)))
    return Parts(Counter({count * row: n for count, n in having.items()}), nest, max(having, default=0) * row)


@dataclass(frozen=True)
class _Along:
    """What a coordinate of the grid holds along a dimension: so many indices, in blocks that lie a stride
    apart."""

    owned: int
    block: int
    stride: int


def _on_a_grid(array: Array, by: Partition, ranks: int) -> Parts:
    grid = square_grid(tuple(array.shape), ranks, tuple(by.grid or ()))
    blocks = by.block or [0] * len(grid)
    along = [_held(*one) for one in zip(array.shape, blocks, grid, strict=True)]
    strides = [element_bytes(array) * prod(array.shape[k + 1 :]) for k in range(len(grid))]
    sizes: Counter[int] = Counter()
    typical, most, most_bytes = None, 0, 0
    for classes in product(*(one.items() for one in along)):
        held = [held for held, _ in classes]
        count = prod(n for _, n in classes)
        owned = prod(one.owned for one in held) * element_bytes(array)
        if not owned:
            continue
        run, run_levels = _runs(held, array.shape, strides, element_bytes(array))
        whole, rest = divmod(owned, run)
        sizes.update({run: whole * count, **({rest: count} if rest else {})})
        most_bytes = max(most_bytes, owned)
        if count > most:
            typical, most = Nest(merged(run_levels), run), count
    order = range(len(grid)) if not by.first_fastest else reversed(range(len(grid)))
    apart = [(grid[k], _apart(array.shape[k], blocks[k], grid[k]) * strides[k]) for k in order]
    nest = typical or Nest((), 0)
    return Parts(sizes, Nest(nest.levels, nest.length, merged(apart)), most_bytes)


def _apart(extent: int, block: int, ranks: int) -> int:
    return block or -(-extent // ranks)


def _held(extent: int, block: int, ranks: int) -> Counter[_Along]:
    """How many coordinates hold what along a dimension, as `held_along` of src/core/array_section.cpp."""
    if block == 0 or ranks == 1:
        even, more = divmod(extent, ranks)
        held = Counter({_Along(even + 1, even + 1, 0): more} if more else {})
        held[_Along(even, even, 0)] += ranks - more
        return held
    full, rest = divmod(extent, block * ranks)
    return Counter(
        _Along(full * block + min(max(rest - place * block, 0), block), block, block * ranks)
        for place in range(ranks)
    )


def _runs(held: list[_Along], shape: list[int], strides: list[int], element: int) -> tuple[int, Levels]:
    """The contiguous bytes of a rank that has this, and the levels of their starts."""
    run, inner, levels = element, True, list[tuple[int, int]]()
    for one, extent, stride in reversed(list(zip(held, shape, strides, strict=True))):
        together = min(one.block, one.owned)
        if inner:
            run = together * stride
            inner = one.owned == extent
        else:
            levels.append((together, stride))
        if one.owned > together:
            levels.append((-(-one.owned // together), one.stride * stride))
    return run, tuple(reversed(levels))


@lru_cache
def square_grid(shape: tuple[int, ...], ranks: int, given: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Ranks along each dimension, zeros replaced so that parts are as square as possible."""
    grid = [given[k] if k < len(given) and given[k] else 1 for k in range(len(shape))]
    free = [k for k in range(len(shape)) if not (k < len(given) and given[k])]
    left = ranks // prod(grid)
    while left > 1 and free:
        factor = _greatest_factor(left)
        left //= factor
        # Of equally long ones the first.
        longest = max(free, key=lambda k: (shape[k] / grid[k], -k))
        grid[longest] *= factor
    return tuple(grid)


def _greatest_factor(number: int) -> int:
    found, divisor = 1, 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            found, number = divisor, number // divisor
        divisor += 1
    return max(found, number)
