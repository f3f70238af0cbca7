from hypothesis import given
from hypothesis import strategies as st

from weir.analyse.saturation import Point, find_saturation


def test_the_smallest_value_near_the_best_is_found() -> None:
    points = [Point(1, 10, 9, 11), Point(2, 50, 49, 51), Point(4, 97, 96, 98), Point(8, 100, 99, 101)]
    found = find_saturation(points)
    assert found is not None
    assert (found.value, found.best.value, found.settled, found.at_edge) == (4, 8, True, False)


def test_a_dip_after_the_point_moves_it_up() -> None:
    found = find_saturation([Point(1, 99), Point(2, 50), Point(4, 100)])
    assert found is not None and found.value == 4


def test_a_decline_after_the_best_does_not_matter() -> None:
    found = find_saturation([Point(1, 20, 19, 21), Point(2, 100, 99, 101), Point(4, 60, 59, 61)])
    assert found is not None and (found.value, found.settled) == (2, True)


def test_wide_intervals_leave_it_unsettled() -> None:
    points = [Point(1, 90, 80, 99), Point(2, 100, 98, 102)]
    found = find_saturation(points)
    assert found is not None and found.value == 2 and not found.settled


def test_a_greater_value_that_may_be_better_leaves_it_unsettled() -> None:
    points = [Point(1, 50, 49, 51), Point(2, 100, 99, 101), Point(4, 98, 85, 112)]
    found = find_saturation(points)
    assert found is not None and (found.value, found.settled) == (2, False)


def test_still_rising_at_the_edge_is_said() -> None:
    found = find_saturation([Point(1, 10), Point(2, 20), Point(4, 40)])
    assert found is not None and found.at_edge


def test_too_little_to_say_anything() -> None:
    assert find_saturation([]) is None
    assert find_saturation([Point(1, 5)]) is None
    assert find_saturation([Point(1, 0), Point(2, 0)]) is None


@given(st.lists(st.floats(0.1, 1e6), min_size=2, max_size=12))
def test_what_is_found_is_near_the_best_and_not_above_it(medians: list[float]) -> None:
    found = find_saturation([Point(2.0**i, median) for i, median in enumerate(medians)])
    assert found is not None
    assert found.median >= 0.95 * max(medians)
    assert found.value <= found.best.value


def test_a_point_that_may_lie_below_the_threshold_leaves_it_unsettled() -> None:
    points = [Point(1, 10, 9, 11), Point(2, 97, 90, 99), Point(4, 100, 99, 101)]
    found = find_saturation(points)
    assert found is not None and (found.value, found.settled) == (2, False)


def test_a_best_that_may_lie_as_low_as_what_comes_before_it_is_unsettled() -> None:
    points = [Point(1, 222, 185, 268), Point(2, 203, 175, 338), Point(4, 370, 151, 534)]
    found = find_saturation(points)
    assert found is not None and (found.value, found.at_edge, found.settled) == (4, True, False)


def test_a_value_further_back_that_may_be_as_good_leaves_it_unsettled() -> None:
    points = [Point(1, 90, 80, 99), Point(2, 50, 49, 51), Point(4, 100, 99, 101)]
    found = find_saturation(points)
    assert found is not None and (found.value, found.settled) == (4, False)
