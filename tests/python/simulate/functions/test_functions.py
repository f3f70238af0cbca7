"""MPI functions as patterns: who has heard of whom at the end, and how much was sent."""

from collections import Counter

import pytest

from simulate.functions.messages import rounds_of
from weir.errors import WeirError
from weir.pattern import Step
from weir.simulate.functions import Beside, Call, mpi_functions, pattern_of

RANKS = [*range(2, 18), 24, 31, 32, 33]
SIZES = [8, 3000, 100_000, 1 << 20]
KIB, MIB = 1 << 10, 1 << 20


def steps_of(name: str, call: Call) -> list[Step]:
    return pattern_of(name, call).phases[0].steps


def known(name: str, call: Call) -> list[set[int]]:
    """Of each rank, whom it has heard of."""
    found = [{rank} for rank in range(call.ranks)]
    for messages in rounds_of(steps_of(name, call)):
        before = [set(one) for one in found]
        for one, other, _ in messages:
            found[other] |= before[one]
    return found


def sent(name: str, call: Call) -> Counter[int]:
    """Bytes that each rank sends."""
    found: Counter[int] = Counter()
    for messages in rounds_of(steps_of(name, call)):
        for one, _, size in messages:
            found[one] += size
    return found


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "name", ["Allgather", "Allgatherv", "Alltoall", "Allreduce", "Reduce_scatter", "Barrier"]
)
def test_all_hear_of_all(name: str, ranks: int, size: int) -> None:
    assert known(name, Call(ranks, size)) == [set(range(ranks))] * ranks


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("size", SIZES)
def test_all_hear_of_the_root_and_the_root_of_all(ranks: int, size: int) -> None:
    for root in {0, 1, ranks // 2, ranks - 1}:
        call = Call(ranks, size, root)
        assert all(root in one for one in known("Bcast", call)), root
        assert known("Reduce", call)[root] == set(range(ranks)), root


@pytest.mark.parametrize("name", mpi_functions.all())
@pytest.mark.parametrize("ranks", [2, 7, 16, 33])
def test_no_rank_sends_to_itself_or_twice_to_one_in_a_round(name: str, ranks: int) -> None:
    for size in SIZES:
        for messages in rounds_of(steps_of(name, Call(ranks, size))):
            assert all(one != other and bytes_ > 0 for one, other, bytes_ in messages)
            most = 2 if ranks == 2 else 1  # both neighbours are the same rank
            assert max(Counter((one, other) for one, other, _ in messages).values()) <= most


def test_short_and_long_messages_take_the_rounds_of_their_algorithms() -> None:
    def count(name: str, ranks: int, size: int) -> int:
        return len(rounds_of(steps_of(name, Call(ranks, size))))

    assert count("Bcast", 16, KIB) == 4, "binomial"
    assert count("Bcast", 16, 100 * KIB) == 4 + 4, "scatter, doubling"
    assert count("Bcast", 16, MIB) == 4 + 15, "scatter, ring"
    assert count("Allreduce", 16, KIB) == 4, "doubling"
    assert count("Allreduce", 16, MIB) == 4 + 4, "halving, doubling"
    assert count("Allreduce", 17, MIB) == 4 + 4 + 2, "and what is beyond a power of two"
    assert count("Reduce", 16, MIB) == 4 + 4
    assert count("Reduce_scatter", 16, 100 * KIB) == 4
    assert count("Reduce_scatter", 16, MIB) == 15, "pairwise"
    assert count("Allgather", 16, KIB) == 4
    assert count("Allgather", 17, KIB) == 5, "Bruck"
    assert count("Allgather", 16, MIB) == 15
    assert count("Alltoall", 16, 100) == 4, "Bruck"
    assert count("Alltoall", 34, KIB) == 2, "32 at once"
    assert count("Alltoall", 16, MIB) == 15
    assert count("Barrier", 17, 0) == 5
    assert count("PingPong", 2, MIB) == 2
    assert count("RandomRing", 16, MIB) == 1


def test_each_rank_sends_what_the_algorithm_says() -> None:
    assert set(sent("Allreduce", Call(16, MIB)).values()) == {2 * MIB * 15 // 16}
    assert set(sent("Allgather", Call(16, MIB)).values()) == {15 * MIB}
    assert set(sent("Alltoall", Call(16, MIB)).values()) == {15 * MIB}
    assert set(sent("Reduce_scatter", Call(16, MIB)).values()) == {MIB * 15 // 16}
    assert set(sent("Exchange", Call(16, MIB)).values()) == {2 * MIB}
    assert set(sent("RandomRing", Call(16, MIB)).values()) == {2 * MIB}
    assert sent("Bcast", Call(16, KIB))[0] == 4 * KIB
    assert sent("Bcast", Call(16, MIB))[0] == (MIB // 16) * (15 + 15)


def at(bytes_per_s: float) -> Beside:
    return Beside(combine=lambda size: size / bytes_per_s)


def test_reductions_compute_where_that_takes_time() -> None:
    def computed(name: str, call: Call) -> float:
        return sum(step.compute.time_s for step in steps_of(name, call) if step.compute)

    assert computed("Allreduce", Call(16, MIB)) == 0
    assert computed("Allreduce", Call(16, MIB, beside=at(MIB))) == pytest.approx(15 / 16)
    assert computed("Reduce_scatter", Call(16, MIB, beside=at(MIB))) == pytest.approx(15 / 16)
    assert computed("Allreduce", Call(17, MIB, beside=at(MIB))) == pytest.approx(31 / 16)
    assert computed("Reduce", Call(16, KIB, beside=at(KIB))) == pytest.approx(4)


def test_what_ranks_copy_and_what_was_just_combined_takes_time() -> None:
    def computed(name: str, beside: Beside) -> float:
        steps = steps_of(name, Call(2, KIB, beside=beside))
        return sum(step.compute.time_s for step in steps if step.compute)

    copies = Beside(copy=lambda size: size / KIB)
    assert computed("Alltoall", copies) == computed("Allreduce", copies) == computed("Allgather", copies) == 1
    assert computed("Bcast", copies) == computed("Exchange", copies) == 0
    buffers = Beside(copy=lambda size: size**2)
    assert computed("Alltoall", buffers) == (2 * KIB) ** 2 / 2, "a part of a buffer of two"
    assert computed("Bcast", Beside(rooted=3)) == computed("Reduce", Beside(rooted=3)) == 3
    assert computed("Allreduce", Beside(rooted=3)) == 0
    long = steps_of("Bcast", Call(8, MIB, beside=Beside(rooted=3)))
    assert sum(step.compute.time_s for step in long if step.compute) == 3, "also in parts"
    fresh = Beside(combine=lambda size: size / KIB, fresh=lambda size: 2 * size / KIB)
    assert computed("Allreduce", fresh) == 1, "it is not sent again"
    assert computed("Alltoall", fresh) == 0


def test_what_was_just_combined_takes_longer_where_it_is_sent() -> None:
    beside = Beside(fresh=lambda size: size / KIB)

    def longer(name: str, ranks: int, size: int) -> float:
        steps = steps_of(name, Call(ranks, size, beside=beside))
        return sum(step.compute.time_s for step in steps if step.compute)

    assert longer("Allreduce", 2, 4 * KIB) == 2 * 2, "the half that each combines; it is read, and taken back"
    assert longer("Allreduce", 4, 4 * KIB) == 2 * (1 + 1), "a quarter of halves, and then that quarter"
    assert longer("Allreduce", 4, KIB) == 2 * 1, "in the second round"
    assert longer("Reduce", 2, KIB) == longer("Reduce_scatter", 2, 4 * KIB) == 0
    assert longer("Reduce_scatter", 4, 1 << 20) == longer("Exchange", 4, KIB) == 0


def test_patterns_of_many_ranks_have_few_steps() -> None:
    assert len(steps_of("Alltoall", Call(1024, MIB))) < 4 * 1024
    assert len(steps_of("Allreduce", Call(1024, MIB))) < 1000
    assert len(steps_of("Allreduce", Call(1000, MIB))) < 4000


def test_a_random_ring_is_the_same_for_a_seed() -> None:
    one, again, other = (pattern_of("RandomRing", Call(64, 8, seed=seed)) for seed in (1, 1, 2))
    assert one == again
    assert one != other


def test_an_unknown_function_is_refused() -> None:
    with pytest.raises(WeirError, match="there is no MPI function 'Alltoal'"):
        pattern_of("Alltoal", Call(4, 8))
