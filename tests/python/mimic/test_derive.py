import random

import pytest

from end_to_end.patterns import Json, closing, opening, phase
from end_to_end.patterns import pattern as small
from weir.mimic.derive import derive
from weir.mimic.imitation import Imitation, ParameterSet
from weir.mimic.losses import Aspect
from weir.mimic.presets import presets

from .made import BARRIER, T, cmb, listed, nest, of_steps, repeat, typed

MIB = 1 << 20


def sets(found: Imitation) -> list[ParameterSet]:
    return [one for phase in found.phases for one in phase.sets(found.pattern)]


def only(found: Imitation) -> ParameterSet:
    (one,) = sets(found)
    return one


def aspects(found: Imitation) -> set[Aspect]:
    return {loss.aspect for phase in found.phases for loss, _ in found.losses(phase)}


@pytest.mark.parametrize("alone", [True, False], ids=["unique", "shared"])
def test_matrices_are_one_call_each(alone: bool) -> None:
    found = derive(cmb(64, alone=alone))
    assert [one.parameters.verb for one in sets(found)] == ["write", "read", "write", "read"]
    for one in sets(found):
        made = one.parameters
        assert (made.block, made.transfer, made.ranks) == (T, T, 64)
        assert one.requests == 8 * 64
        assert (made.segments, one.turns) in ((1, 8), (8, 1))
        assert one.side_by_side is not alone
    assert found.fidelity.overall == 1


def test_the_papers_choice_is_a_preset() -> None:
    found = derive(cmb(64, alone=False), presets.find("shan-2007"))
    for one in sets(found):
        made = one.parameters
        assert (made.transfer, made.block, made.segments) == (2 * MIB, 76 * MIB, 1)
        assert one.turns == 8
    assert Aspect.SIZE in aspects(found)


def test_datasets_one_after_the_other_are_segments() -> None:
    steps = [
        nest(ranks=4, length=4096, rank_levels=[(4, 4096)], start=number * 4 * 4096) for number in range(24)
    ]
    one = only(derive(of_steps(*steps, ranks=4)))
    assert (one.parameters.segments, one.parameters.block, one.turns) == (24, 4096, 1)
    assert one.fidelity.overall == 1


def test_rows_of_a_matrix_are_interleaved() -> None:
    rows = nest(ranks=2, length=4000, levels=[(1000, 8000)], rank_levels=[(2, 4000)])
    one = only(derive(of_steps(rows, ranks=2)))
    assert (one.parameters.offsets, one.parameters.transfer) == ("strided", 4000)
    assert one.fidelity.overall == 1


def test_a_box_in_three_dimensions_loses_order_only() -> None:
    box = nest(ranks=8, length=64, levels=[(8, 2048), (8, 128)], rank_levels=[(2, 16384), (2, 1024), (2, 64)])
    found = derive(of_steps(box, ranks=8))
    assert only(found).parameters.offsets == "strided"
    assert aspects(found) == {Aspect.ORDER}
    assert 0.5 < found.fidelity.overall < 1


def test_parts_of_an_array_that_does_not_divide_are_imitated_by_their_mean() -> None:
    raw = small(
        phase(
            "write",
            opening("create"),
            {
                "access": {
                    "verb": "write",
                    "file": 0,
                    "ranks": {"first": 0, "count": 3, "step": 1},
                    "array": 0,
                    "partition": 0,
                    "collective": True,
                }
            },
            closing(),
        ),
        ranks=3,
    )
    raw["files"][0]["arrays"] = [{"name": "dens", "element": "f8", "shape": [243, 512], "offset": 0}]
    raw["partitions"] = [{"counts": [80, 81, 82], "cycle": True}]
    found = derive(typed(raw))
    one = only(found)
    assert one.parameters.transfer == one.parameters.block == 81 * 512 * 8
    assert one.parameters.collective
    assert aspects(found) == {Aspect.SIZE, Aspect.CONCURRENCY}
    assert found.fidelity.overall > 0.9


def pieces(seed: int, count: int) -> list[int]:
    """Offsets and lengths in turn, of random lengths, one behind the other."""
    drawn, found, at = random.Random(seed), list[int](), 0
    for _ in range(count):
        length = drawn.randint(1, 1_000_000)
        found += [at, length]
        at += length
    return found


@pytest.mark.parametrize("count", [20, 100, 2000])
def test_random_sizes_have_no_imitation(count: int) -> None:
    lists = [pieces(rank, count) for rank in range(3)]
    found = derive(of_steps(listed(lists), ranks=3))
    assert found.has_random_sizes
    assert found.fidelity.overall <= 0.5
    (size,) = [loss for loss, _ in found.losses(found.phases[0]) if loss.aspect is Aspect.SIZE]
    assert "no parameters imitate requests of random sizes" in size.what


def test_random_sizes_in_single_accesses_neither() -> None:
    offsets = pieces(7, 60)
    steps = [nest(ranks=1, length=n, start=at) for at, n in zip(offsets[::2], offsets[1::2], strict=True)]
    found = derive(of_steps(*steps, ranks=1))
    assert len(sets(found)) == 1
    assert found.fidelity.overall <= 0.5


def test_a_few_small_requests_beside_large_ones_have_sets_of_their_own() -> None:
    small_ones = [nest(ranks=1, length=8 * n, start=1000 * n) for n in range(1, 20)]
    large = [nest(ranks=1, length=MIB, start=MIB * n) for n in range(1, 40)]
    found = derive(of_steps(*small_ones, *large, ranks=1))
    assert [one.parameters.transfer for one in sets(found)][-1] == MIB
    assert found.fidelity.overall > 0.99


def test_ranks_that_differ_in_place_only_are_one_set() -> None:
    steps = [nest(ranks=1, first=rank, length=4096 * (4 + rank % 2), start=rank * 32768) for rank in range(4)]
    one = only(derive(of_steps(*steps, ranks=4)))
    assert (one.parameters.ranks, one.parameters.transfer) == (4, 4096 * 9 // 2)


def test_a_sync_after_each_request_is_sync_write() -> None:
    line = nest(ranks=2, length=64, rank_levels=[(2, 64)], advance=[128])
    one = only(derive(of_steps(repeat(10, line, {"sync": {"file": 0}}), ranks=2)))
    assert (one.parameters.sync, one.parameters.segments) == ("write", 10)
    once = only(derive(of_steps(repeat(10, line), {"sync": {"file": 0}}, ranks=2)))
    assert once.parameters.sync == "close"
    assert only(derive(of_steps(repeat(10, line), ranks=2))).parameters.sync == "never"


def test_files_of_a_loop_are_files() -> None:
    raw = small(
        phase(
            "dumps",
            repeat(
                3,
                {"open": {"file": 0, "mode": "create", "file_advance": [1]}},
                nest(ranks=2, length=4096, rank_levels=[(2, 4096)], file_advance=[1]),
                {"close": {"file": 0, "file_advance": [1]}},
            ),
        ),
        ranks=2,
    )
    raw["files"] = [{"name": f"dump-{number}", "per_rank": False} for number in range(3)]
    one = only(derive(typed(raw)))
    assert (one.parameters.files, one.parameters.segments, one.turns) == (3, 1, 1)


@pytest.mark.parametrize(
    ("step", "aspect", "words"),
    [
        ({"compute": {"time_s": 1}}, Aspect.OTHER, "computing"),
        ({"broadcast": {"bytes": 24, "root": 0}}, Aspect.CONCURRENCY, "broadcasts"),
        ({"seek": {"file": 0, "to": 8}}, Aspect.OTHER, "seeks"),
    ],
)
def test_what_stands_between_requests_is_named(step: dict[str, object], aspect: Aspect, words: str) -> None:
    found = derive(of_steps(nest(ranks=2, length=8, rank_levels=[(2, 8)]), step, ranks=2))
    ((loss, _),) = found.losses(found.phases[0])
    assert loss.aspect is aspect
    assert words in loss.what


def test_all_ranks_reading_the_same_share_what_the_benchmark_does_not() -> None:
    found = derive(of_steps(nest("read", ranks=4, length=MIB), ranks=4))
    assert aspects(found) == {Aspect.SHARING}
    assert found.fidelity.overall == 0.5


def test_asynchronous_requests_are_a_loss() -> None:
    begun = nest(ranks=2, length=MIB, rank_levels=[(2, MIB)], asynchronous=True)
    found = derive(of_steps(begun, {"wait": {"file": 0}}, ranks=2))
    assert Aspect.CONCURRENCY in aspects(found)
    assert found.fidelity.overall == 0.5


def test_its_cost_does_not_grow_with_ranks_and_requests() -> None:
    many = nest(
        ranks=10**6, length=8, levels=[(10**9, 8 * 10**6)], rank_levels=[(10**6, 8)], advance=[8 * 10**15]
    )
    one = only(derive(of_steps(repeat(10**3, many), ranks=10**6)))
    assert one.requests == 10**18
    assert one.fidelity.overall == 1


def test_nothing_moved_is_imitated_by_nothing() -> None:
    found = derive(of_steps(ranks=2))
    assert sets(found) == []
    assert found.fidelity.overall == 1


@pytest.mark.parametrize("empty", [nest(ranks=2, length=0, levels=[(5, 0)]), listed([[], []])])
def test_accesses_of_no_bytes_are_left_out_and_said_to_be(empty: Json) -> None:
    found = derive(of_steps(empty, nest(ranks=1, length=8), ranks=2))
    assert only(found).requests == 1
    (loss,) = [loss for loss, _ in found.losses(found.phases[0])]
    assert (loss.aspect, loss.left) == (Aspect.OTHER, 1)
    assert "no bytes" in loss.what


@pytest.mark.parametrize("backwards", [False, True])
def test_lists_that_are_a_nest_are_imitated_as_one(backwards: bool) -> None:
    places = [[2 * rank, 2 * rank + 1] for rank in range(4)]
    lists = [[number for at in one for number in (64 * at, 64)] for one in places]
    found = derive(of_steps(listed(lists[::-1] if backwards else lists), ranks=4))
    assert found.fidelity.overall == (0.9 if backwards else 1)


@pytest.mark.parametrize(
    ("lists", "aspect", "words"),
    [
        ([[0, 64]] * 4, Aspect.SHARING, "the same bytes"),
        ([[rank * 64000, 64] for rank in range(4)], Aspect.ORDER, "from rank to rank is left free"),
        ([[(3 - rank) * 64, 64] for rank in range(4)], Aspect.ORDER, "the reverse order"),
        ([[0, 64], [0, 64], [64, 64], [128, 64]], Aspect.SHARING, "the same bytes (those are 50 %)"),
        ([[0, 64], [64, 64], [256, 64], [384, 64]], Aspect.ORDER, "43 % of the file"),
        ([[64, 64], [0, 64], [128, 64], [192, 64]], Aspect.ORDER, "another order"),
    ],
)
def test_places_of_lists_are_losses(lists: list[list[int]], aspect: Aspect, words: str) -> None:
    found = derive(of_steps(listed(lists), ranks=4))
    (loss,) = [loss for loss, _ in found.losses(found.phases[0])]
    assert loss.aspect is aspect
    assert words in loss.what
    assert found.fidelity.overall < 1


def test_holes_between_turns_are_losses() -> None:
    turn = nest(ranks=2, length=64, rank_levels=[(2, 64)], advance=[3 * 64])
    found = derive(of_steps(repeat(4, turn), ranks=2))
    (loss,) = [loss for loss, _ in found.losses(found.phases[0])]
    assert "33 % of the way from turn to turn is left free" in loss.what


def test_ranks_that_begin_elsewhere_in_their_own_files_are_a_loss() -> None:
    found = derive(of_steps(nest(ranks=4, length=64, rank_levels=[(4, 64)]), ranks=4, per_rank=True))
    assert found.fidelity.overall == 0.9


def test_other_ranks_are_kept_at_no_cost() -> None:
    found = derive(of_steps(nest(ranks=2, first=2, length=64, rank_levels=[(2, 64)]), ranks=7))
    assert found.fidelity.overall == 1
    (loss,) = [loss for loss, _ in found.losses(found.phases[0])]
    assert "others than the first ranks" in loss.what


def test_requests_of_uneven_ranks_lose_no_order() -> None:
    found = derive(of_steps(listed([[0, 64, 64, 64, 128, 64, 192, 64], [256, 64]]), ranks=2))
    losses = {loss.aspect: loss.what for loss, _ in found.losses(found.phases[0])}
    assert losses.keys() == {Aspect.SIZE, Aspect.CONCURRENCY}
    assert (
        losses[Aspect.SIZE] == "4 requests are made in place of 5, of 64 B each; 20 % fewer bytes are moved"
    )


def test_bytes_of_the_imitation_are_its_own() -> None:
    found = derive(of_steps(nest(ranks=2, length=1, levels=[(2000, 1)], rank_levels=[(2, 2000)]), ranks=2))
    one = only(found)
    assert (one.bytes, one.pattern_bytes) == (32_000, 4000)
    assert (one.requests, one.pattern_requests) == (4000, 4000)
    (loss,) = [loss for loss, _ in found.losses(found.phases[0])]
    assert (loss.aspect, loss.left) == (Aspect.SIZE, 1 / 8)
    assert "700 % more bytes" in loss.what


def test_steps_that_come_again_are_turns() -> None:
    """As a trace may have them: unrolled, barriers between, each rank's turns side by side."""
    steps = []
    for turn in range(8):
        part: Json = {"ranks": 4, "length": 4096, "rank_levels": [(4, 8 * 4096)], "start": turn * 4096}
        steps += [BARRIER, nest(**part), BARRIER, nest("read", **part)]
    found = derive(of_steps(*steps, ranks=4))
    assert [(one.parameters.block, one.turns, one.side_by_side) for one in sets(found)] == [
        (4096, 8, True)
    ] * 2
    assert found.fidelity.overall == 1


def test_pieces_in_no_order_are_shuffled() -> None:
    places = random.Random(3).sample(range(31), 31)
    steps = [nest(ranks=1, length=4096, start=4096 * place) for place in places]
    one = only(derive(of_steps(*steps, ranks=1)))
    assert (one.parameters.offsets, one.parameters.transfer, one.requests) == ("shuffled", 4096, 31)
    assert 0.8 < one.fidelity.overall < 1


def at_places(places: list[list[int]]) -> Json:
    """A write of 4 KiB at each of these of each rank."""
    return listed([[word for place in own for word in (4096 * place, 4096)] for own in places])


@pytest.mark.parametrize(("ranks", "per_rank"), [(1, False), (3, True)])
def test_pieces_drawn_again_and_again_are_random(ranks: int, *, per_rank: bool) -> None:
    drawn = random.Random(5)
    places = [drawn.choices(range(500), k=500) for _ in range(ranks)]
    one = only(derive(of_steps(at_places(places), ranks=ranks, per_rank=per_rank)))
    assert (one.parameters.offsets, one.parameters.transfer, one.requests) == ("random", 4096, 500 * ranks)
    assert 0.8 < one.fidelity.overall < 1
    once = [drawn.sample(range(500), 500) for _ in range(ranks)]
    one = only(derive(of_steps(at_places(once), ranks=ranks, per_rank=per_rank)))
    assert one.parameters.offsets == "shuffled"


def test_in_a_shared_file_no_rank_draws_the_places_of_another() -> None:
    drawn = random.Random(5)
    places = [drawn.choices(range(500 * rank, 500 * rank + 500), k=500) for rank in range(3)]
    one = only(derive(of_steps(at_places(places), ranks=3)))
    assert one.parameters.offsets == "shuffled"
