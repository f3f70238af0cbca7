"""Fidelity is 1 where the imitation is the pattern, operation for operation, and nowhere else."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import product

from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from end_to_end.patterns import Json, closing, opening, phase
from end_to_end.patterns import pattern as small
from random_cases import random_cases
from weir.mimic.carrier import carrier
from weir.mimic.derive import derive
from weir.pattern import Access, Level, Pattern, Step

from .made import listed, nest, repeat, typed

Operation = tuple[object, ...]
"""Verb, file, the pieces as offsets and lengths, and the order in which they are accessed."""


def operations(pattern: Pattern) -> dict[int, list[Operation]]:
    """Of each rank, in its order, unrolled; those that move bytes."""
    found: dict[int, list[Operation]] = defaultdict(list)
    for one in pattern.phases:
        for access, turns in unrolled(one.steps, ()):
            for at in range(access.ranks.count):
                rank = access.ranks.first + at * access.ranks.step
                moved = sum(advance * turn for advance, turn in zip(access.advance, turns, strict=False))
                pieces = [(offset + moved, length) for offset, length in pieces_of(access, at)]
                found[rank] += in_order(access, pieces)
    return dict(found)


def unrolled(steps: list[Step], turns: tuple[int, ...]) -> Iterator[tuple[Access, tuple[int, ...]]]:
    for step in steps:
        if step.repeat:
            for turn in range(step.repeat.count):
                yield from unrolled(step.repeat.steps, (*turns, turn))
        elif step.access:
            yield step.access, turns


def pieces_of(access: Access, at: int) -> list[tuple[int, int]]:
    """Of the participant at this place."""
    if access.lists is not UNSET:
        return list(zip(access.lists[at][::2], access.lists[at][1::2], strict=True))
    assert access.extent
    begin = access.extent.start + (places(access.rank_levels or []) or [0])[at if access.rank_levels else 0]
    return [(begin + place, access.extent.length) for place in places(access.extent.levels)]


def places(levels: list[Level]) -> list[int]:
    counts = product(*(range(level.count) for level in levels))
    return [sum(n * level.stride for n, level in zip(turn, levels, strict=True)) for turn in counts]


def in_order(access: Access, pieces: list[tuple[int, int]]) -> list[Operation]:
    """A random order is told by its seed and what it is an order of."""
    kind = access.order.kind if access.order else "sequential"
    if kind == "sequential" or len(pieces) == 1:
        return [(access.verb, access.file, *piece) for piece in pieces]
    assert access.order
    return [(access.verb, access.file, kind, access.order.seed, tuple(pieces))]


SIZES = st.sampled_from([8, 8, 64, 64, 100, 4096])


@st.composite
def extents(draw: st.DrawFn, ranks: int) -> Json:
    """Most are those of parameters, some with holes between pieces, between ranks or before all."""
    first = draw(st.integers(0, ranks - 1)) * draw(st.integers(0, 1))
    count = draw(st.integers(1, ranks - first)) if first else ranks
    length, each = draw(SIZES), draw(st.integers(1, 4))
    hole = draw(st.sampled_from([1, 1, 1, 2]))
    if draw(st.booleans()):
        levels, stride = [(each, length * hole)], length * hole * each * draw(st.sampled_from([1, 1, 3]))
    else:
        levels, stride = [(each, length * count * hole)], length
    order: Json = {"kind": "sequential"}
    if draw(st.integers(0, 4)) == 0:
        order = {"kind": "shuffled", "seed": draw(st.integers(0, 3))}
    displaced = [(count, stride)] if count > 1 and draw(st.integers(0, 5)) else []
    levels = [level for level in levels if level[0] > 1]
    start = draw(st.sampled_from([0, 0, 8, 65536]))
    return nest(
        ranks=count,
        length=length,
        levels=levels,
        rank_levels=displaced,
        order=order,
        first=first,
        start=start,
    )


@st.composite
def lists(draw: st.DrawFn, ranks: int) -> Json:
    """Regular ones, and such whose ranks or pieces lie anywhere."""
    length, each = draw(SIZES), draw(st.integers(1, 4))
    regular = [[(rank * each + at) * length for at in range(each)] for rank in range(ranks)]
    found = regular
    match draw(st.integers(0, 5)):
        case 0:
            found = regular[::-1]
        case 1:
            found = [[1000 * rank + place for place in one] for rank, one in enumerate(regular)]
        case 2:
            found = [regular[0]] * ranks
        case 3:
            found = draw(st.permutations(regular))
        case 4:
            found = [[place * 2 for place in one] for one in regular]
    sizes = [length, length, draw(SIZES)] if draw(st.integers(0, 5)) == 0 else [length]
    return listed(
        [
            [number for at, place in enumerate(one) for number in (place, sizes[at % len(sizes)])]
            for one in found
        ]
    )


@st.composite
def singles(draw: st.DrawFn, ranks: int) -> list[Json]:
    """Accesses of one rank each, as traces have them: one after the other, or one a rank; in step or not."""
    length, stride = draw(SIZES), draw(st.sampled_from([1, 1, 2]))
    order = list(range(draw(st.integers(1, 9))))
    if draw(st.integers(0, 2)) == 0:
        order = draw(st.permutations(order))
    of_one = draw(st.booleans())
    levels = [
        [(n, length)] if n > 1 else [] for n in draw(st.lists(st.integers(1, 3), min_size=9, max_size=9))
    ]
    same = draw(st.booleans())
    return [
        nest(
            ranks=1,
            first=0 if of_one else at % ranks,
            length=length,
            start=place * length * stride,
            levels=levels[0 if same else at],
        )
        for at, place in enumerate(order)
    ]


@st.composite
def patterns(draw: st.DrawFn) -> Pattern:
    ranks = draw(st.integers(1, 5))
    steps: list[Json] = []
    for _ in range(draw(st.integers(1, 3))):
        if draw(st.integers(0, 3)) == 0:
            steps += draw(singles(ranks))
            continue
        step = draw(st.one_of(extents(ranks), lists(ranks)))
        if draw(st.integers(0, 2)) == 0:
            step["access"]["advance"] = [draw(st.sampled_from([0, 64, 64 * ranks, 196608, 1 << 20]))]
            step = repeat(draw(st.integers(1, 4)), step)
        steps.append(step)
    alone = draw(st.integers(0, 3)) == 0
    return typed(small(phase("w", opening("create"), *steps, closing()), ranks=ranks, per_rank=alone))


@random_cases(500)
@given(patterns())
def test_fidelity_is_1_where_all_operations_are_equal(pattern: Pattern) -> None:
    found = derive(pattern)
    equal = operations(carrier(found)) == operations(pattern)
    losses = [loss for one in found.phases for loss, _ in found.losses(one) if loss.left < 1]
    assert (found.fidelity.overall == 1) == equal, losses
    assert bool(losses) != equal
