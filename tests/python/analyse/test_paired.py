import random

import pytest

from weir.analyse.paired import Standing, Turn, ratio_of_neighbours, standing_of


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


def test_drift_that_both_share_does_not_widen_the_interval() -> None:
    ones = {(at, 0): 100.0 * 1.3**at for at in range(8)}
    others = {(at, 0): 80.0 * 1.3**at for at in range(8)}
    found = ratio_of_neighbours(ones, others)
    assert found is not None and found.low == pytest.approx(1.25) and found.high == pytest.approx(1.25)


def test_what_one_took_alone_has_no_neighbour() -> None:
    ones = {(1, 0): 2.0, (1, 1): 2.0, (2, 0): 1000.0, (3, 0): 2.0}
    found = ratio_of_neighbours(ones, {(1, 0): 1.0, (1, 1): 1.0, (3, 0): 1.0, (4, 0): 7.0})
    assert found is not None and (found.count, found.median) == (3, 2.0)
    assert ratio_of_neighbours(ones, {}) is None
    assert ratio_of_neighbours(ones, {(1, 0): 0.0}) is None


@pytest.mark.parametrize("noise", [0.05, 0.1, 0.15])
@pytest.mark.parametrize(
    ("true", "false"), [(1.0, "above below"), (1.12, "below alike"), (1.3, "below alike")]
)
def test_answers_are_false_in_at_most_five_of_a_hundred(noise: float, true: float, false: str) -> None:
    """1000 comparisons, looked at after 6, 7, ... 30 pairs until they are decided."""
    source = random.Random(f"{noise} {true}")
    trials, wrong = 1000, 0
    for _ in range(trials):
        ones: dict[Turn, float] = {}
        others: dict[Turn, float] = {}
        for at in range(30):
            ones[at, 0] = true * source.lognormvariate(0, noise)
            others[at, 0] = source.lognormvariate(0, noise)
            estimate = ratio_of_neighbours(ones, others)
            assert estimate is not None
            standing = standing_of(estimate.low, estimate.high)
            if standing is not Standing.OPEN:
                break
        wrong += standing in false.split()
    assert wrong <= 0.05 * trials
