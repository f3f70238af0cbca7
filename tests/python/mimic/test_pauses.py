"""A pause ends no access: with computing in any place, the same is imitated."""

import random
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import pytest

from end_to_end.patterns import Json
from weir.mimic.derive import derive
from weir.mimic.pauses import without_pauses
from weir.pattern import Step, steps_of

from .made import BARRIER, nest, of_steps, repeat

SET: Json = {"count": 1, "step": 1}


def pause(rank: int) -> Json:
    return {"compute": {"time_s": 0.02, "ranks": {"first": rank, **SET}}}


def interleaved(rank: int, ranks: int, first: int, count: int, **changes: Any) -> Json:
    """So many of a rank's records of 64 KiB, from the first one on."""
    at = (first * ranks + rank) * 65536
    return nest(ranks=1, first=rank, length=65536, levels=[(count, ranks * 65536)], start=at, **changes)


def test_a_rank_that_pauses_shares_no_bytes() -> None:
    steps = (interleaved(0, 2, 0, 200), interleaved(1, 2, 0, 120), pause(1), interleaved(1, 2, 120, 80))
    found = derive(of_steps(*steps, ranks=2))
    (one,) = found.phases[0].sets(found.pattern)
    assert (one.parameters.ranks, one.parameters.offsets, one.requests) == (2, "strided", 400)
    assert found.fidelity.overall == 1


@pytest.mark.parametrize("first", ["access", "pause"])
@pytest.mark.parametrize("rest", [0, 20])
def test_a_rank_that_pauses_again_and_again_does_the_same(first: str, rest: int) -> None:
    each = interleaved(1, 2, 0, 50, advance=[50 * 2 * 65536])
    turns = repeat(4, *([each, pause(1)] if first == "access" else [pause(1), each]))
    more = [interleaved(1, 2, 200, rest)] if rest else []
    steps = (interleaved(0, 2, 0, 200 + rest), turns, *more)
    found = derive(of_steps(*steps, ranks=2))
    (one,) = found.phases[0].sets(found.pattern)
    assert (one.parameters.ranks, one.parameters.offsets, one.requests) == (2, "strided", 400 + 2 * rest)
    assert found.fidelity.overall == 1


def test_ranks_between_which_another_one_paused_take_part_together() -> None:
    others = nest(
        ranks=2,
        length=65536,
        levels=[(100, 4 * 65536)],
        rank_levels=[(2, 2 * 65536)],
        start=65536,
    )
    others["access"]["ranks"] = {"first": 1, "count": 2, "step": 2}
    steps = (
        *(interleaved(0, 4, 0, 10), pause(0), interleaved(0, 4, 10, 90), others),
        *(interleaved(2, 4, 0, 60), pause(2), interleaved(2, 4, 60, 40)),
    )
    assert derive(of_steps(*steps, ranks=4)).fidelity.overall == 1


def test_uneven_ranks_that_do_not_meet_are_no_conflict() -> None:
    steps = (interleaved(0, 2, 0, 200), interleaved(1, 2, 0, 199))
    assert derive(of_steps(*steps, ranks=2)).fidelity.of[2] == 1


def test_ranks_that_meet_in_part_are_one_in_part() -> None:
    steps = (
        nest(ranks=1, length=1000, start=0),
        nest(ranks=1, first=1, length=1200, start=500),
    )
    (loss,) = [
        loss
        for found in [derive(of_steps(*steps, ranks=2))]
        for loss, _ in found.losses(found.phases[0])
        if "same bytes" in loss.what
    ]
    assert "45 %" in loss.what


def test_turns_around_pauses_are_turns_of_one_repeat() -> None:
    def two(at: int) -> list[Json]:
        return [nest(ranks=1, length=8, start=at), nest(ranks=1, length=16, start=at + 8)]

    def turns(count: int, first: int) -> Json:
        return repeat(count, *({"access": {**one["access"], "advance": [24]}} for one in two(24 * first)))

    whole = derive(of_steps(turns(100, 0), ranks=1))
    middle = two(24 * 60)
    cut = derive(of_steps(turns(60, 0), middle[0], pause(0), middle[1], turns(39, 61), ranks=1))
    assert cut.phases[0].sets(cut.pattern) == whole.phases[0].sets(whole.pattern)
    alone = [step for turn in range(100) for step in (*two(24 * turn), *[pause(0)] * (turn == 50))]
    assert len(without_pauses(of_steps(*alone, ranks=1).phases[0].steps)) == 3  # with the open and the close


def requests(steps: Sequence[Step], rank: int, turns: tuple[int, ...] = ()) -> Iterator[tuple[int, int]]:
    """A rank's offsets and lengths, in order; -1 is a barrier."""
    for step in steps:
        if step.repeat:
            for turn in range(step.repeat.count):
                yield from requests(step.repeat.steps, rank, (*turns, turn))
        elif step.barrier:
            yield -1, 0
        elif (
            step.access
            and step.access.ranks.first <= rank < step.access.ranks.first + step.access.ranks.count
        ):
            access = step.access
            assert access.extent
            own = rank - access.ranks.first
            by = sum(a * t for a, t in zip(access.advance, turns, strict=False))
            by += own * (access.rank_levels[0].stride if access.rank_levels else 0)
            for places in product(*(range(level.count) for level in access.extent.levels)):
                at = sum(n * level.stride for n, level in zip(places, access.extent.levels, strict=True))
                yield access.extent.start + by + at, access.extent.length


@pytest.mark.parametrize("seed", range(60))
def test_each_rank_asks_for_the_same_in_the_same_order(seed: int) -> None:
    drawn = random.Random(seed)
    ranks, places = 3, [0] * 3

    def one(depth: int) -> Json:
        kind = drawn.random()
        rank, length = drawn.randrange(ranks), drawn.choice([8, 16])
        if kind < 0.3:
            return pause(rank)
        if kind < 0.4:
            return BARRIER
        if kind < 0.55 and depth < 2:
            return repeat(drawn.randint(2, 3), *(one(depth + 1) for _ in range(drawn.randint(1, 4))))
        if kind < 0.65:
            return nest(ranks=3, length=length, rank_levels=[(3, 1000)], advance=[8] * depth)
        count = drawn.randint(1, 3)
        levels = [(count, 48)] if count > 1 else []
        start, places[rank] = places[rank], places[rank] + 48 * count
        return nest(ranks=1, first=rank, length=length, levels=levels, start=start, advance=[8] * depth)

    given = of_steps(*(one(0) for _ in range(drawn.randint(2, 14))), ranks=ranks).phases[0].steps
    found = without_pauses(given)
    assert not any(step.compute for step in steps_of(found))
    for rank in range(ranks):
        assert list(requests(found, rank)) == list(requests(given, rank))
