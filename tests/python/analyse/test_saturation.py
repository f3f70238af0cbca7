"""Where a curve saturates: on curves of which all intervals are given, and simulated ones with noise."""

import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weir.analyse.paired import ALIKE, Turn, ratio_of_neighbours
from weir.analyse.saturation import Intervals, Saturation, find_saturation
from weir.analyse.statistics import CONFIDENCE


def of(medians: list[float], noise: float | list[float]) -> Saturation | None:
    """Of medians whose ratios are known within `noise` of one over other, to both sides."""
    noises = noise if isinstance(noise, list) else [noise] * len(medians)

    def interval(one: int, other: int, confidence: float) -> tuple[float, float]:
        apart = max(noises[one], noises[other])
        return medians[one] / medians[other] / apart, medians[one] / medians[other] * apart

    return find_saturation(medians, interval)


CURVES: dict[str, tuple[list[float], float | list[float], dict[str, object]]] = {
    "the smallest value near the best is found": (
        [10, 50, 97, 100],
        1.01,
        {"first": 2, "last": 2, "settled": True, "near": False, "at_edge": False, "best": 3},
    ),
    "what is hardly slower is not surely too small": ([60, 95, 100], 1.02, {"first": 1, "settled": True}),
    "what is slower by more than nobody minds is": ([60, 85, 100], 1.02, {"first": 2, "settled": True}),
    "a decline after the best does not matter": ([20, 100, 60], 1.01, {"first": 1, "settled": True}),
    "a dip after the point does not matter": ([99, 50, 100], 1.01, {"first": 0, "settled": True}),
    "noise leaves a point within a factor": (
        [10, 95, 100],
        1.15,
        {"first": 1, "last": 2, "settled": False, "near": True, "deciding": (1, 2)},
    ),
    "more noise leaves a range": (
        [10, 95, 100],
        1.6,
        {"first": 1, "last": 2, "near": False, "unknown": False, "deciding": (1, 2)},
    ),
    "one noisy value alone decides": ([10, 100, 99, 98], [1.01, 1.01, 1.01, 1.3], {"deciding": (1, 3)}),
    "where nothing is sure nothing is known": ([90, 80, 100], 2.0, {"settled": False, "unknown": True}),
    "still rising at the edge is said": ([10, 20, 40], 1.05, {"at_edge": True, "settled": True}),
    "all alike saturate at once": ([98, 99, 100], 1.01, {"first": 0, "settled": True, "at_edge": False}),
}


@pytest.mark.parametrize(("medians", "noise", "expected"), CURVES.values(), ids=CURVES)
def test_where_a_curve_saturates(
    medians: list[float], noise: float | list[float], expected: dict[str, object]
) -> None:
    found = of(medians, noise)
    assert {name: getattr(found, name) for name in expected} == expected


def test_the_factor_is_how_much_better_a_greater_value_may_be() -> None:
    found = of([10, 100, 104, 90], 1.1)
    assert found is not None and found.within == pytest.approx(1.04 * 1.1)


def test_values_beyond_the_point_share_the_error_among_themselves_alone() -> None:
    medians, asked = [10.0, 100.0, 100.0, 100.0], {}

    def interval(one: int, other: int, confidence: float) -> tuple[float, float]:
        asked[one, other] = confidence
        return medians[one] / medians[other], medians[one] / medians[other]

    found = find_saturation(medians, interval)
    assert found is not None and found.settled and found.first == 1
    assert asked[0, 1] == CONFIDENCE, "a smaller one has the whole error"
    assert asked[2, 1] == asked[3, 1] == pytest.approx(1 - (1 - CONFIDENCE) / 2)


def test_without_intervals_nothing_is_sure() -> None:
    found = find_saturation([10, 50, 100], lambda one, other, confidence: (None, None))
    assert found is not None and (found.first, found.last, found.within) == (0, 2, None)
    assert found.unknown and found.deciding == (0, 1, 2)


def test_too_little_to_say_anything() -> None:
    assert of([], 1.0) is None
    assert of([5], 1.0) is None
    assert find_saturation([0, 0], lambda one, other, confidence: (None, None)) is None


@given(st.lists(st.tuples(st.floats(0.1, 1e6), st.floats(1, 3)), min_size=2, max_size=12))
def test_the_range_is_a_range(curve: list[tuple[float, float]]) -> None:
    found = of([median for median, _ in curve], [noise for _, noise in curve])
    assert found is not None
    assert 0 <= found.first <= found.last < len(curve) and found.first <= found.best
    assert found.settled + found.near + found.unknown <= 1


SHAPES = {
    "flat": (1000.0,) * 4,
    "rising": (100.0, 200.0, 400.0, 800.0),
    "a clear point": (100.0, 300.0, 600.0, 1000.0, 1000.0, 1000.0),
    "12 % below": (500.0, 880.0, 1000.0, 1000.0, 990.0),
    "8 % below": (500.0, 920.0, 1000.0, 1000.0),
}


@pytest.mark.parametrize("noise", [0.05, 0.1, 0.15])
@pytest.mark.parametrize("speeds", SHAPES.values(), ids=SHAPES)
def test_the_point_is_false_in_at_most_five_of_a_hundred(noise: float, speeds: tuple[float, ...]) -> None:
    """200 curves, each looked at after 6, 8, ... 20 rounds until the point is certain."""
    source = random.Random(f"{noise} {speeds}")
    trials = 200
    assert sum(_is_false(_simulated(source, speeds, noise), speeds) for _ in range(trials)) <= 0.05 * trials


def _is_false(found: Saturation, speeds: tuple[float, ...]) -> bool:
    """Whether any statement is: that all before `first` are too small, or how much better one beyond it may
    be, or that the point is not beyond `last`."""
    too_small = any(speeds[at] * ALIKE > max(speeds) for at in range(found.first))
    better = found.within is not None and max(speeds[found.first :]) > speeds[found.first] * found.within
    beyond = max(speeds[found.last :]) > speeds[found.last] * ALIKE
    return too_small or better or beyond


def _simulated(source: random.Random, speeds: tuple[float, ...], noise: float) -> Saturation:
    samples: list[dict[Turn, float]] = [{} for _ in speeds]
    for rounds in range(1, 21):
        for each, speed in zip(samples, speeds, strict=True):
            each[rounds, 0] = speed * source.lognormvariate(0, noise)
        if rounds >= 6 and rounds % 2 == 0:
            found = find_saturation([_middle(each) for each in samples], _intervals(samples))
            assert found is not None
            if found.settled:
                break
    return found


def _middle(values: dict[Turn, float]) -> float:
    return sorted(values.values())[len(values) // 2]


def _intervals(samples: list[dict[Turn, float]]) -> Intervals:
    @cache
    def interval(one: int, other: int, confidence: float) -> tuple[float | None, float | None]:
        ratio = ratio_of_neighbours(samples[one], samples[other], confidence)
        assert ratio is not None
        return ratio.low, ratio.high

    return interval
