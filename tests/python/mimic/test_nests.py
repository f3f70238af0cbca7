"""How far nests of pieces reach, forwards and backwards."""

import pytest

from weir.mimic.nests import Nest, adjacent, jumps, merged, reach


@pytest.mark.parametrize(
    ("levels", "far", "lowest"),
    [
        ((), 0, 0),
        (((3, 100),), 200, 0),
        (((3, -100),), 200, -200),
        (((2, 1000), (3, -100)), 1200, -200),
        (((2, -1000), (3, -100)), 1200, -1200),
    ],
)
def test_strides_that_lead_backwards_reach_as_far(
    levels: tuple[tuple[int, int], ...], far: int, lowest: int
) -> None:
    nest = Nest(levels=levels, length=10)
    assert (reach(levels), nest.reach, nest.lowest) == (far, far + 10, lowest)
    ranks = Nest(levels=(), length=10, rank_levels=levels)
    assert (ranks.reach, ranks.reach_of_all, ranks.lowest) == (10, far + 10, lowest)


def test_pieces_that_lie_side_by_side_are_counted_in_the_file_s_direction() -> None:
    assert adjacent(Nest(levels=((4, 10),), length=10)) == 4
    assert adjacent(Nest(levels=((4, -10),), length=10)) == 1


def test_levels_are_merged_where_they_continue_each_other() -> None:
    assert merged([(2, -40), (4, -10)]) == ((8, -10),)
    assert merged([(2, 40), (4, -10)]) == ((2, 40), (4, -10))


def test_a_jump_back_is_negative() -> None:
    assert jumps(((3, -100),), 10) == ((-110, 2),)
