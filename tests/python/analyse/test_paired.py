import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weir.analyse.paired import Standing, neighbours, ratio_of_neighbours, standing_of


@pytest.mark.parametrize(
    ("low", "high", "standing"),
    [
        (1.2, 1.4, Standing.ABOVE),
        (0.5, 0.9, Standing.BELOW),
        (0.93, 1.08, Standing.ALIKE),
        (1.01, 1.09, Standing.ALIKE),
        (0.93, 1.18, Standing.OPEN),
        (0.85, 1.05, Standing.OPEN),
        (None, None, Standing.OPEN),
    ],
)
def test_equal_takes_an_interval_inside_ten_percent(
    low: float | None, high: float | None, standing: Standing
) -> None:
    assert standing_of(low, high) is standing


def test_neighbours_are_those_next_to_each_other_in_time() -> None:
    assert neighbours([0, 2, 4], [1, 3, 5]) == [(0, 0), (1, 1), (2, 2)]
    # One went on alone for a while: what it took meanwhile has no neighbour.
    assert neighbours([0, 10, 20, 30], [1, 31]) == [(0, 0), (3, 1)]
    assert neighbours([0, 30], [1, 11, 21, 31]) == [(0, 0), (1, 3)]
    assert neighbours([], [1.0]) == []


@given(st.lists(st.floats(0, 100), max_size=12), st.lists(st.floats(0, 100), max_size=12))
def test_each_is_used_once_and_in_order(ones: list[float], others: list[float]) -> None:
    found = neighbours(sorted(ones), sorted(others))
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(found))
    assert bool(found) == bool(ones and others)


def test_drift_that_both_share_does_not_widen_the_interval() -> None:
    ones = [(float(at), 100.0 * 1.3**at) for at in range(8)]
    others = [(at + 0.5, 80.0 * 1.3**at) for at in range(8)]
    found = ratio_of_neighbours(ones, others)
    assert found is not None and found.low == pytest.approx(1.25) and found.high == pytest.approx(1.25)


@pytest.mark.parametrize("noise", [0.05, 0.1, 0.15])
@pytest.mark.parametrize(
    ("true", "false"), [(1.0, "above below"), (1.12, "below alike"), (1.3, "below alike")]
)
def test_answers_are_false_in_at_most_five_of_a_hundred(noise: float, true: float, false: str) -> None:
    """1000 comparisons, looked at after 6, 7, ... 30 pairs until they are decided."""
    source = random.Random(f"{noise} {true}")
    trials, wrong = 1000, 0
    for _ in range(trials):
        ones: list[tuple[float, float]] = []
        others: list[tuple[float, float]] = []
        for at in range(30):
            ones.append((at, true * source.lognormvariate(0, noise)))
            others.append((at, source.lognormvariate(0, noise)))
            estimate = ratio_of_neighbours(ones, others)
            assert estimate is not None
            standing = standing_of(estimate.low, estimate.high)
            if standing is not Standing.OPEN:
                break
        wrong += standing in false.split()
    assert wrong <= 0.05 * trials
