"""Sizes that a person can say, and those of the exhaustive sweep."""

from weir.calibrate.sizes import exhaustive_sizes, halvings, round_up

MIB = 1 << 20
GIB = 1 << 30


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
