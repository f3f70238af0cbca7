"""Verdicts over numbers by hand: who is quicker, and whether that can be told."""

import pytest
from peers.compare import Comparison, Pairs, Verdict, compare


def comparison(ours: list[float], theirs: list[float], least: float = 0.97) -> Comparison:
    found = compare(Pairs(ours, theirs), least)
    assert found is not None
    return found


STEADY = [100.0, 101.0, 99.0, 100.5, 99.5, 100.2, 99.8, 100.1]


def times(factor: float) -> list[float]:
    return [value * factor for value in STEADY]


def test_the_ratio_is_that_of_neighbours() -> None:
    drifting = [100.0, 200.0, 300.0, 400.0, 500.0, 600.0]
    found = comparison([value * 1.1 for value in drifting], drifting)
    assert (found.ratio.low, found.ratio.high) == (pytest.approx(1.1), pytest.approx(1.1))
    assert found.verdict is Verdict.MET and found.settled


@pytest.mark.parametrize(
    ("factor", "least", "verdict"),
    [
        (1.2, 0.97, Verdict.MET),
        (1.0, 0.97, Verdict.MET),
        (1.0, 1.0, Verdict.MET),
        (0.9, 0.97, Verdict.MISSED),
        (0.98, 1.0, Verdict.MISSED),
    ],
)
def test_steady_sides_give_a_verdict(factor: float, least: float, verdict: Verdict) -> None:
    found = comparison(times(factor), STEADY, least)
    assert found.verdict is verdict and found.settled


def test_within_the_goal_but_apart_is_missed() -> None:
    found = comparison(times(0.975), STEADY)
    assert found.ratio.low is not None and found.ratio.low >= 0.97
    assert found.below and found.verdict is Verdict.MISSED


def test_noise_shows_nothing() -> None:
    ours = [80.0, 120.0, 70.0, 130.0, 90.0, 85.0, 125.0, 75.0]
    found = comparison(ours, STEADY)
    assert found.verdict is Verdict.UNSHOWN and not found.settled


def test_few_samples_are_no_verdict() -> None:
    found = comparison(STEADY[:5], STEADY[:5])
    assert found.verdict is Verdict.FEW and not found.settled
    assert compare(Pairs(), 0.97) is None


def test_pairs_are_pairs() -> None:
    with pytest.raises(ValueError, match="2 numbers of ours beside 1 of theirs"):
        Pairs().add([1.0, 2.0], [1.0])
