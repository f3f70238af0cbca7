import pytest
from hypothesis import given
from hypothesis import strategies as st

from weir.analyse.saturation import Point, Saturation, find_saturation

CURVES: dict[str, tuple[list[tuple[float, ...]], dict[str, object]]] = {
    "the smallest value near the best is found": (
        [(1, 10, 9, 11), (2, 50, 49, 51), (4, 97, 96, 98), (8, 100, 99, 101)],
        {"value": 4, "settled": True, "at_edge": False},
    ),
    "a dip after the point moves it up": ([(1, 99), (2, 50), (4, 100)], {"value": 4}),
    "a decline after the best does not matter": (
        [(1, 20, 19, 21), (2, 100, 99, 101), (4, 60, 59, 61)],
        {"value": 2, "settled": True},
    ),
    "wide intervals leave it unsettled": (
        [(1, 90, 80, 99), (2, 100, 98, 102)],
        {"value": 2, "settled": False},
    ),
    "a greater value that may be better leaves it unsettled": (
        [(1, 50, 49, 51), (2, 100, 99, 101), (4, 98, 85, 112)],
        {"value": 2, "settled": False},
    ),
    "still rising at the edge is said": ([(1, 10), (2, 20), (4, 40)], {"at_edge": True}),
    "a point that may lie below the threshold leaves it unsettled": (
        [(1, 10, 9, 11), (2, 97, 90, 99), (4, 100, 99, 101)],
        {"value": 2, "settled": False},
    ),
    "a best that may lie as low as what comes before it is unsettled": (
        [(1, 222, 185, 268), (2, 203, 175, 338), (4, 370, 151, 534)],
        {"value": 4, "at_edge": True, "settled": False},
    ),
    "a value further back that may be as good leaves it unsettled": (
        [(1, 90, 80, 99), (2, 50, 49, 51), (4, 100, 99, 101)],
        {"value": 4, "settled": False},
    ),
}


def saturation(*points: tuple[float, ...]) -> Saturation | None:
    return find_saturation([Point(*point) for point in points])


@pytest.mark.parametrize(("points", "expected"), CURVES.values(), ids=CURVES)
def test_where_a_curve_saturates(points: list[tuple[float, ...]], expected: dict[str, object]) -> None:
    found = saturation(*points)
    assert {name: getattr(found, name) for name in expected} == expected


def test_the_best_is_told() -> None:
    found = saturation(*CURVES["the smallest value near the best is found"][0])
    assert found is not None and found.best.value == 8


def test_too_little_to_say_anything() -> None:
    assert saturation() is saturation((1, 5)) is saturation((1, 0), (2, 0)) is None


@given(st.lists(st.floats(0.1, 1e6), min_size=2, max_size=12))
def test_what_is_found_is_near_the_best_and_not_above_it(medians: list[float]) -> None:
    found = find_saturation([Point(2.0**i, median) for i, median in enumerate(medians)])
    assert found is not None
    assert found.median >= 0.95 * max(medians)
    assert found.value <= found.best.value
