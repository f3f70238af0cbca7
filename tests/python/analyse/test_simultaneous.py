"""Intervals of many ratios that hold together."""

import math
import random
from collections.abc import Callable

import pytest

from weir.analyse.simultaneous import ratios_together, t_quantile


@pytest.mark.parametrize(
    ("error", "freedom", "expected"),
    [(0.025, 7, 2.3646), (0.025, 8, 2.3060), (0.05, 1, 6.3138), (0.005, 2, 9.9248), (0.001, 30, 3.3852)],
)
def test_quantiles_are_those_of_printed_tables(error: float, freedom: int, expected: float) -> None:
    assert t_quantile(error, freedom) == pytest.approx(expected, abs=1e-4)


def test_an_interval_follows_by_hand() -> None:
    # Without the ends: 0, 0, 0.1, 0.1; the ends moved in: variance of 0 0 0 .1 .1 .1 is 0.003, times 5/3.
    logs = [-1.0, 0.0, 0.0, 0.1, 0.1, 1.0]
    (found,) = ratios_together([[math.exp(value) for value in logs]])
    reach = t_quantile(0.025, 3) * math.sqrt(0.005 / 4)
    assert found.rounds == 6
    assert math.log(found.ratio) == pytest.approx(0.05)
    assert math.log(found.low) == pytest.approx(0.05 - reach)
    assert math.log(found.high) == pytest.approx(0.05 + reach)


def noisy(rng: random.Random, count: int, rounds: int) -> list[list[float]]:
    return [[math.exp(rng.gauss(0, 0.1)) for _ in range(rounds)] for _ in range(count)]


def test_what_others_show_of_the_noise_makes_intervals_narrower() -> None:
    samples = noisy(random.Random(1), 200, 8)
    alone = ratios_together(samples[:1], error=0.05 / 200)
    together = ratios_together(samples)
    widths = sorted(one.high / one.low for one in together)
    assert widths[100] < alone[0].high / alone[0].low
    assert widths[-1] < 1.7


def test_a_ratio_that_is_noisier_than_the_others_keeps_a_wider_interval() -> None:
    rng = random.Random(2)
    samples = [*noisy(rng, 50, 8), [math.exp(rng.gauss(0, 1)) for _ in range(8)]]
    *usual, wild = ratios_together(samples)
    assert wild.high / wild.low > max(one.high / one.low for one in usual)


def quotient(rng: random.Random, draw: Callable[[random.Random], float]) -> float:
    """Of two times with the same noise: 1 in the median."""
    return draw(rng) / draw(rng)


NOISES: dict[str, Callable[[random.Random], float]] = {
    "even": lambda rng: math.exp(rng.gauss(0, 0.1)),
    "skewed, as times are": lambda rng: 1 + rng.expovariate(10),
    "one in ten disturbed": lambda rng: (1 + rng.random()) if rng.random() < 0.1 else rng.uniform(0.98, 1.02),
    "of two levels": lambda rng: rng.choice([1.0, 1.3]) * math.exp(rng.gauss(0, 0.02)),
    "heavy tails": lambda rng: math.exp(0.05 * rng.gauss(0, 1) / math.sqrt(rng.gammavariate(1.5, 1 / 1.5))),
}


@pytest.mark.parametrize("noise", NOISES)
def test_all_intervals_hold_the_truth_in_most_runs(noise: str) -> None:
    rng = random.Random(3)
    runs = [[[quotient(rng, NOISES[noise]) for _ in range(8)] for _ in range(100)] for _ in range(100)]
    missed = sum(any(not one.low <= 1 <= one.high for one in ratios_together(run)) for run in runs)
    assert missed <= 10


def test_equal_values_are_no_proof_that_there_is_no_noise() -> None:
    found = ratios_together([[2.0] * 8 for _ in range(30)])
    assert all(one.low < 2 < one.high for one in found)
