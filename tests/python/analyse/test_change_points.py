"""Changes of level: false alarms and what is found, on made-up series."""

import math
import random
from collections.abc import Callable

import pytest

from weir.analyse.change_points import SHORTEST, best_split, chance_of, change_points, limit_of, windows

SHAPES: dict[str, Callable[[random.Random], float]] = {
    "normal": lambda draw: draw.gauss(0, 1),
    "exponential": lambda draw: draw.expovariate(1),
    "cauchy": lambda draw: math.tan(math.pi * (draw.random() - 0.5)),
    "two modes": lambda draw: draw.gauss(0, 0.1) + draw.choice((0, 3)),
    "few digits": lambda draw: float(draw.randint(1, 5)),
}


@pytest.mark.parametrize(("count", "tries"), [(6, 400), (10, 400), (30, 300), (100, 120), (300, 40)])
@pytest.mark.parametrize("shape", SHAPES)
def test_series_without_a_change_seldom_have_one(shape: str, count: int, tries: int) -> None:
    draw = random.Random(f"{shape} {count}")
    series = ([SHAPES[shape](draw) for _ in range(count)] for _ in range(tries))
    false = sum(bool(change_points(values)) for values in series)
    assert false <= 0.05 * tries + 2 * math.sqrt(0.05 * tries)


def steps(draw: random.Random, *levels: tuple[int, float], noise: float = 0.03) -> list[float]:
    """So many values around each level."""
    return [level * math.exp(draw.gauss(0, noise)) for count, level in levels for _ in range(count)]


@pytest.mark.parametrize(
    "levels",
    [
        ((30, 1.0), (10, 0.8)),
        ((10, 1.0), (30, 0.8)),
        ((20, 1.0), (20, 0.9)),
        ((20, 1.0), (8, 0.8), (20, 1.0)),
        ((15, 1.0), (15, 0.8), (15, 0.6), (15, 1.2)),
        ((200, 1.0), (14, 0.8), (200, 1.0)),
    ],
)
def test_changes_are_found_where_they_are(levels: tuple[tuple[int, float], ...]) -> None:
    draw = random.Random(str(levels))
    expected = [sum(count for count, _ in levels[:number]) for number in range(1, len(levels))]
    exact, tries = 0, 30
    for _ in range(tries):
        found = [one.at for one in change_points(steps(draw, *levels))]
        near = len(found) == len(expected) and all(
            abs(one - other) <= 1 for one, other in zip(found, expected, strict=True)
        )
        exact += near
    assert exact >= 0.85 * tries


def test_a_change_takes_about_five_values() -> None:
    draw = random.Random(2)
    for count, least, most in ((3, 0, 2), (6, 18, 20)):
        found = sum(bool(change_points(steps(draw, (40, 1.0), (count, 0.5)))) for _ in range(20))
        assert least <= found <= most


def test_ranks_do_not_care_for_the_scale() -> None:
    values = steps(random.Random(4), (20, 1.0), (12, 0.7))
    assert change_points(values) == change_points([math.exp(9 * one) for one in values])
    assert [one.at for one in change_points([-one for one in values])] == [
        one.at for one in change_points(values)
    ]


@pytest.mark.parametrize("count", [0, 1, 5])
def test_short_series_have_none(count: int) -> None:
    assert change_points([1.0] * count) == []
    assert change_points([1.0] * (count // 2) + [9.0] * (count - count // 2)) == []


def test_equal_values_have_none() -> None:
    assert change_points([3.0] * 50) == [] and best_split([3.0] * 50) is None


@pytest.mark.parametrize("count", [6, 7, 13, 40, 101])
def test_windows_cover_all_and_are_long_enough(count: int) -> None:
    found = windows(count)
    assert (0, count) in found and all(0 <= a < b <= count and b - a >= SHORTEST for a, b in found)
    covered = {at for begin, end in found for at in range(begin, end) if end - begin <= 2 * SHORTEST}
    assert count > 2 * SHORTEST or covered == set(range(count))
    assert count < 3 * SHORTEST or covered == set(range(count)), "short windows lie everywhere"


def test_the_limit_is_where_the_chance_is() -> None:
    for count in (10, 100, 500):
        for error in (0.05, 0.001):
            assert chance_of(limit_of(count, error), count) == pytest.approx(error, rel=1e-6)


def test_the_best_split_is_that_of_counting() -> None:
    """Mann and Whitney's statistic of each split, by its definition."""
    values = steps(random.Random(5), (9, 1.0), (7, 0.9), noise=0.1)
    sizes = {}
    for at in range(2, len(values) - 1):
        left, right = values[:at], values[at:]
        wins = sum((one > other) + 0.5 * (one == other) for one in left for other in right)
        spread = math.sqrt(len(left) * len(right) * (len(values) + 1) / 12)
        sizes[at] = abs(wins - len(left) * len(right) / 2) / spread
    found = best_split(values)
    assert found and found[0] == max(sizes, key=lambda at: sizes[at])
    assert found[1] == pytest.approx(max(sizes.values()))
