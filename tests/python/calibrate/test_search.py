"""The search on machines of arithmetic: it finds what an exhaustive sweep finds, for a third of its bytes."""

import math
import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from random_cases import random_cases
from weir.analyse.statistics import FEWEST_SAMPLES
from weir.calibrate.calibration import DIRECTIONS, READ, WRITE, Side
from weir.calibrate.search import (
    FLAT,
    Match,
    Search,
    Sizes,
    compare,
    exhaustive_sizes,
    halvings,
    round_up,
)

from .machines import GIB, MIB, Machine, exhaustive


def search(machine: Machine, most_bytes: float | None = None) -> tuple[Search, dict[str, Side]]:
    """The search as the verb sets it up, allowed a third of what an exhaustive sweep writes."""
    sizes = sweep_of(machine)
    allowed = FEWEST_SAMPLES * sum(sizes) * machine.ranks / 3 if most_bytes is None else most_bytes

    def refusal(wanted: Sequence[int]) -> str:
        too_much = machine.written + sum(wanted) * machine.ranks > allowed
        return "a third is used up" if too_much else ""

    start = round_up(1.3 * machine.memory / machine.ranks, MIB)
    found = Search(machine.measure, refusal, Sizes(start, 4 * MIB, max(sizes), MIB), machine.curves)
    return found, found.run()


def sweep_of(machine: Machine) -> list[int]:
    return exhaustive_sizes(machine.memory, machine.ranks, 4 * MIB, MIB)


def test_finds_the_cliff_of_each_direction() -> None:
    machine = Machine(write_cache=4 * GIB, read_cache=23 * GIB)
    _, found = search(machine)
    assert found[WRITE].falls and found[READ].falls
    assert found[READ].below_bytes is not None and found[READ].below_bytes * 2 < 23 * GIB
    assert found[READ].size_bytes * 2 > 23 * GIB
    assert found[WRITE].size_bytes < found[READ].size_bytes * 2


def test_no_cliff_is_flat_all_the_way() -> None:
    _, found = search(Machine())
    for name in DIRECTIONS:
        assert found[name].size_bytes < 8 * MIB and found[name].below_bytes is None and not found[name].why


def test_rising_with_size_as_on_jaguar_is_no_cliff() -> None:
    _, found = search(Machine(start_s=0.5))
    for name in DIRECTIONS:
        assert found[name].below_bytes is not None and not found[name].falls


def test_memory_that_never_ends_is_said() -> None:
    machine = Machine(memory=GIB, write_cache=50 * GIB, read_cache=2 * GIB)
    _, found = search(machine)
    assert found[WRITE].plateau, (
        "flat, though at the speed of memory: the caller knows what the cache may hold"
    )
    falling = Machine(memory=GIB, write_cache=GIB, storage=1e8)
    _, found = search(falling)
    assert found[WRITE].plateau is None and found[WRITE].why


def test_noise_gets_more_samples() -> None:
    calm, loud = Machine(read_cache=23 * GIB), Machine(read_cache=23 * GIB, noise=0.3)
    top = search(calm)[0].sizes.start
    search(loud)
    assert loud.taken.count(2 * top) > calm.taken.count(2 * top) == 1


def test_stops_where_it_is_told_to_and_keeps_what_it_has() -> None:
    machine = Machine(write_cache=4 * GIB, read_cache=23 * GIB)
    done, found = search(machine, most_bytes=200 * GIB)
    assert machine.written <= 200 * GIB
    assert found[READ].plateau
    assert done.curves[READ]
    _, none = search(Machine(), most_bytes=0)
    assert all(side.plateau is None and side.why == "a third is used up" for side in none.values())


def test_an_error_while_measuring_is_passed_on_and_the_samples_stay() -> None:
    def broken(sizes: Sequence[int]) -> None:
        raise RuntimeError("quota")

    started = Search(broken, lambda sizes: "", Sizes(GIB, MIB, 4 * GIB, MIB), {WRITE: {}, READ: {}})
    with pytest.raises(RuntimeError):
        started.run()


MACHINES = st.builds(
    Machine,
    memory=st.floats(0.1, 64).map(lambda gib: int(gib * GIB)),
    ranks=st.integers(1, 8),
    cache_speed=st.floats(4e9, 40e9),
    start_s=st.sampled_from([0.0, 0.0, 0.001, 0.1]),
    noise=st.sampled_from([0.0, 0.01]),
    source=st.integers(0, 1000).map(random.Random),
)


@random_cases(300)
@given(MACHINES, st.floats(0, 0.25), st.floats(0, 1), st.booleans())
def test_agrees_with_the_exhaustive_sweep_for_a_third_of_its_bytes(
    machine: Machine, write_share: float, read_share: float, cached: bool
) -> None:
    # A slow start can just make up for a cache; then neither answer means anything.
    machine.write_cache = int(write_share * machine.memory) if cached and not machine.start_s else 0
    machine.read_cache = int(read_share * machine.memory) if cached and not machine.start_s else 0
    sizes = sweep_of(machine)
    calm = replace(machine, noise=0.0)
    expected = {flat: exhaustive(calm, sizes, 1, flat) for flat in (0.8 * FLAT, 1.2 * FLAT)}
    made, found = search(machine)
    assert machine.written <= FEWEST_SAMPLES * sum(sizes) * machine.ranks / 3
    for name in DIRECTIONS:
        # Where an answer hangs on a hair's breadth of tolerance, both are right: the sweep's, and that of the
        # search's first pair of sizes, which lies elsewhere.
        strict, mild = expected[0.8 * FLAT][name], expected[1.2 * FLAT][name]
        assume(strict is not None and mild is not None)
        start = made.sizes.start
        change = abs(machine.bandwidth(name, 2 * start) / machine.bandwidth(name, start) - 1)
        assume(not 0.8 * FLAT < change < 1.2 * FLAT)
        assert strict is not None and mild is not None and found[name].size_bytes, found[name]
        doublings = math.log2(found[name].size_bytes)
        assert math.log2(mild) - 1.01 <= doublings <= math.log2(strict) + 1.01


@pytest.mark.parametrize(
    ("level", "other", "match"),
    [
        ([100.0], [109.0], Match.SAME),
        ([100.0], [300.0], Match.UNSURE),
        ([100.0, 102.0], [300.0, 290.0], Match.OTHER),
        ([300.0, 290.0], [100.0, 102.0], Match.OTHER),
        ([100.0, 102.0], [300.0, 105.0], Match.UNSURE),
        ([100.0, 101.0], [110.5, 120.0], Match.UNSURE),
    ],
)
def test_single_or_mingled_samples_tell_no_difference(
    level: list[float], other: list[float], match: Match
) -> None:
    assert compare(level, other) is match


def test_rounds_up_to_eighths_between_powers_of_two() -> None:
    assert [round_up(size) for size in (1, 15, 16, 17, 33, 2**30 + 1)] == [1, 15, 16, 18, 36, 9 * 2**27]
    assert round_up(15.2 * GIB, MIB) == 16 * GIB
    assert round_up(3 * MIB + 1, MIB) == 4 * MIB


def test_halves_are_multiples_and_end_at_the_least() -> None:
    assert halvings(22 * MIB, 3 * MIB, MIB) == [11 * MIB, 6 * MIB, 3 * MIB]
    assert halvings(MIB, MIB, MIB) == [MIB]


def test_the_exhaustive_sweep_ends_at_four_times_the_memory() -> None:
    sizes = exhaustive_sizes(GIB, 2, 4 * MIB, MIB)
    assert sizes[-1] * 2 == 4 * GIB
    assert sizes[0] == 4 * MIB
    assert 7 * GIB < 2 * sum(sizes) <= 8 * GIB
