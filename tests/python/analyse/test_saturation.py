import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weir.analyse.paired import ALIKE, Standing, Turn, ratio_of_neighbours, standing_of
from weir.analyse.saturation import Saturation, find_saturation
from weir.analyse.statistics import CONFIDENCE

SIGNS = {"=": Standing.ALIKE, "<": Standing.BELOW, "?": Standing.OPEN}

CURVES: dict[str, tuple[list[float], str, dict[str, object]]] = {
    "the smallest value near the best is found": (
        [10, 50, 97, 100],
        "<<==",
        {"first": 2, "last": 2, "settled": True, "at_edge": False, "best": 3},
    ),
    "a dip after the point moves it up": ([99, 50, 100], "=<=", {"first": 2, "last": 2}),
    "a decline after the best does not matter": ([20, 100, 60], "<=<", {"first": 1, "settled": True}),
    "what may be as good as the best makes a range": (
        [10, 90, 100],
        "<?=",
        {"first": 1, "last": 2, "settled": False, "unknown": False},
    ),
    "what may be better beyond the best makes a range": ([50, 100, 98], "<=?", {"first": 1, "last": 2}),
    "where nothing is sure nothing is known": ([90, 80, 100], "??=", {"settled": False, "unknown": True}),
    "still rising at the edge is said": ([10, 20, 40], "<<=", {"at_edge": True}),
    "all alike saturate at once": ([98, 99, 100], "===", {"first": 0, "settled": True, "at_edge": False}),
    "a value further back that may be as good leaves a range": (
        [90, 50, 100],
        "?<=",
        {"first": 2, "last": 2},
    ),
}


@pytest.mark.parametrize(("medians", "signs", "expected"), CURVES.values(), ids=CURVES)
def test_where_a_curve_saturates(medians: list[float], signs: str, expected: dict[str, object]) -> None:
    found = find_saturation(medians, [SIGNS[sign] for sign in signs], [sign == "?" for sign in signs])
    assert {name: getattr(found, name) for name in expected} == expected


def test_too_little_to_say_anything() -> None:
    assert find_saturation([], [], []) is None
    assert find_saturation([5], [Standing.ALIKE], [False]) is None
    assert find_saturation([0, 0], [Standing.ALIKE] * 2, [False] * 2) is None


@given(st.lists(st.tuples(st.floats(0.1, 1e6), st.sampled_from("=<?")), min_size=2, max_size=12))
def test_the_range_is_a_range(curve: list[tuple[float, str]]) -> None:
    medians = [median for median, _ in curve]
    signs = [sign for _, sign in curve]
    found = find_saturation(medians, [SIGNS[sign] for sign in signs], [sign == "?" for sign in signs])
    assert found is not None
    assert 0 <= found.first <= found.last < len(medians)


CURVE = (100.0, 300.0, 600.0, 1000.0, 1000.0, 1000.0)
POINT = 3


@pytest.mark.parametrize("noise", [0.05, 0.1, 0.15])
@pytest.mark.parametrize("speeds", [CURVE, (1000.0,) * 4, (100.0, 200.0, 400.0, 800.0)])
def test_the_point_is_outside_its_range_in_at_most_five_of_a_hundred(
    noise: float, speeds: tuple[float, ...]
) -> None:
    """400 curves, each looked at after 6, 7, ... 20 rounds until the point is certain."""
    source = random.Random(f"{noise} {speeds}")
    true = next(at for at, speed in enumerate(speeds) if speed == max(speeds))
    trials, wrong = 400, 0
    for _ in range(trials):
        samples: list[dict[Turn, float]] = [{} for _ in speeds]
        found: Saturation | None = None
        for rounds in range(1, 21):
            for each, speed in zip(samples, speeds, strict=True):
                each[rounds, 0] = speed * source.lognormvariate(0, noise)
            if rounds >= 6 and (found := _found(samples)) and found.settled:
                break
        assert found is not None
        wrong += not found.first <= true <= found.last
    assert wrong <= 0.05 * trials


def _found(samples: list[dict[Turn, float]]) -> Saturation | None:
    medians = [sorted(each.values())[len(each) // 2] for each in samples]
    best = medians.index(max(medians))
    confidence = 1 - (1 - CONFIDENCE) / (len(samples) - 1)
    standings, may_exceed = [], []
    for at, each in enumerate(samples):
        ratio = ratio_of_neighbours(each, samples[best], confidence)
        assert ratio is not None
        standings.append(Standing.ALIKE if at == best else standing_of(ratio.low, ratio.high))
        may_exceed.append(at != best and (ratio.high is None or ratio.high > ALIKE))
    return find_saturation(medians, standings, may_exceed)
