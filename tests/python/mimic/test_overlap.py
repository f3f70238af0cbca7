from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from random_cases import random_cases
from weir.mimic.nests import Nest
from weir.mimic.overlap import Coverage, Places, coverage, shared

STRIDES = st.sampled_from([-9, -4, 0, 1, 2, 3, 4, 6, 8, 12, 24, 30, 60])
LEVELS = st.lists(st.tuples(st.integers(1, 4), STRIDES), max_size=3).map(tuple)
SOME = st.lists(
    st.builds(Places, st.integers(0, 2), st.integers(0, 60), LEVELS, st.integers(0, 5)),
    min_size=1,
    max_size=4,
)


def byte_by_byte(places: list[Places]) -> Coverage:
    ranks: dict[int, set[int]] = {}
    for one in places:
        for turns in product(*(range(count) for count, _ in one.levels)):
            start = one.start + sum(turn * by for turn, (_, by) in zip(turns, one.levels, strict=True))
            for byte in range(start, start + one.length):
                ranks.setdefault(byte, set()).add(one.rank)
    if not ranks:
        return Coverage(0, 0, 0, 0)
    several = sum(len(some) for some in ranks.values() if len(some) > 1)
    return Coverage(sum(map(len, ranks.values())), several, len(ranks), max(ranks) - min(ranks) + 1)


@random_cases(300)
@given(SOME)
def test_it_is_as_counted_byte_by_byte(places: list[Places]) -> None:
    assert coverage(places) == byte_by_byte(places)


@random_cases(300)
@given(LEVELS, LEVELS, st.integers(1, 5))
def test_of_a_nest_too(
    rank_levels: tuple[tuple[int, int], ...], levels: tuple[tuple[int, int], ...], n: int
) -> None:
    displaced = [
        sum(turn * by for turn, (_, by) in zip(turns, rank_levels, strict=True))
        for turns in product(*(range(count) for count, _ in rank_levels))
    ]
    if len(displaced) > 1:
        some = [Places(rank, by, levels, n) for rank, by in enumerate(displaced)]
        left = tuple(level for level in rank_levels if level[0] > 1)
        assert shared(Nest(levels, n, left)) == byte_by_byte(some).overlap


def test_many_requests_take_no_time() -> None:
    ranks, each = 4, 10**9
    uneven = [Places(rank, 104 * rank, ((each - rank, 104 * ranks),), 104) for rank in range(ranks)]
    found = coverage(uneven)
    assert (found.by_several, found.accessed) == (0, 104 * (ranks * each - 6))
    assert shared(Nest(((each, 2 * 10**6),), 10**6, ((2, 10**6),))) == 0


def test_part_of_the_bytes_may_be_shared() -> None:
    """Each rank's kilobyte begins in the middle of the one before."""
    assert shared(Nest((), 1000, ((3, 500),))) == 2 / 3
