"""Modes of samples, and how samples go over time."""

import math
import random
from collections.abc import Callable

import pytest

from weir.analyse.modes import Course, Modes, find_modes

ONE_MODE: dict[str, Callable[[random.Random], float]] = {
    "uniform": lambda draw: draw.uniform(-1, 1),
    "normal": lambda draw: draw.gauss(0, 1),
    "exponential": lambda draw: draw.expovariate(1),
    "its mirror": lambda draw: -draw.expovariate(1),
    "triangular": lambda draw: draw.triangular(-1, 1, 0.5),
    "laplace": lambda draw: draw.expovariate(1) * draw.choice((-1, 1)),
    "cauchy": lambda draw: math.tan(math.pi * (draw.random() - 0.5)),
}
TRIES = 400


def medians(found: Modes) -> list[float]:
    return [mode.median for mode in found.modes]


@pytest.mark.parametrize("count", [6, 8, 10, 15, 25, 60])
@pytest.mark.parametrize("shape", ONE_MODE)
def test_samples_of_one_mode_are_seldom_called_two(shape: str, count: int) -> None:
    draw = random.Random(f"{shape} {count}")
    logarithms = [[ONE_MODE[shape](draw) for _ in range(count)] for _ in range(TRIES)]
    found = [find_modes([math.exp(max(-300.0, min(300.0, one))) for one in some]) for some in logarithms]
    assert sum(len(one.modes) > 1 for one in found) <= 0.05 * TRIES


def test_writes_that_alternate_have_two_modes() -> None:
    samples = [500, 1900, 520, 480, 1850, 615, 1930, 540, 1880, 505, 1910, 490]
    found = find_modes(samples)
    assert medians(found) == [505, 1900]
    assert [mode.count for mode in found.modes] == [7, 5] and found.course is Course.ALTERNATING


def test_a_step_is_told_with_its_place() -> None:
    found = find_modes([100, 101, 99, 100, 102, 200, 199, 201, 200, 198])
    assert (found.course, found.step_at, medians(found)) == (Course.STEP, 5, [100, 200])
    back = find_modes([200, 201, 199, 200, 202, 100, 99, 101, 100, 98])
    assert medians(back) == [200, 100], "in the order of time"


def test_six_samples_in_two_parts_may_be_a_step_by_chance() -> None:
    found = find_modes([100, 101, 99, 200, 199, 201])
    assert len(found.modes) == 2 and found.course is Course.STEADY


def test_three_modes() -> None:
    assert medians(find_modes([1.0, 10.0, 100.0] * 4)) == [1.0, 10.0, 100.0]


@pytest.mark.parametrize("samples", [[], [1.0], [1.0, 2.0], [0.0, 0.0, 1.0, 1.0], [3.0] * 20])
def test_few_samples_and_equal_ones_have_one_mode_at_most(samples: list[float]) -> None:
    found = find_modes(samples)
    assert len(found.modes) == min(1, len(samples)) and found.course is Course.STEADY


def test_two_values_that_hardly_differ_are_one() -> None:
    assert len(find_modes([100, 100, 100, 110, 110, 110] * 3).modes) == 1


def test_two_slow_samples_are_no_mode() -> None:
    assert len(find_modes([100, 101, 102, 99, 98, 100, 101, 30, 31]).modes) == 1


def test_a_drift_is_told() -> None:
    samples = [100 + 3 * at + (at * 7 % 5) for at in range(15)]
    assert find_modes(samples).course is Course.DRIFTING
    assert find_modes(samples[::-1]).course is Course.DRIFTING
    assert find_modes([100 + at * 7 % 5 for at in range(15)]).course is Course.STEADY


def test_a_drift_that_nobody_minds_is_none() -> None:
    assert find_modes([1000 + at for at in range(20)]).course is Course.STEADY
