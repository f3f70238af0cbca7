"""Verdicts of pairs."""

import math
import random
from dataclasses import replace

import pytest

from rows import row
from weir.analyse.between_runs import Apart
from weir.analyse.metric import Metric
from weir.compare.matching import Pair
from weir.compare.standings import Standing, Verdict, standings, verdict_of, verdict_of_all

TIME = Metric("elapsed_s", "s", "time", greater_is_better=False)
SIZE = Metric("file_bytes", "B", "size of the file", greater_is_better=False)
RATE = Metric("updates_per_s", "UP/s", "update rate", greater_is_better=True)


def samples(level: float, *, count: int = 12, seed: int = 1, noise: float = 0.02) -> tuple[float, ...]:
    draw = random.Random(seed)
    return tuple(level * math.exp(draw.gauss(0, noise)) for _ in range(count))


def pair(one: tuple[float, ...], other: tuple[float, ...], metric: Metric = RATE, **differs: str) -> Pair:
    """Of one run each."""
    rows = [replace(row("write", 1), metric=metric, samples=values) for values in (one, other)]
    return Pair(rows[0], rows[1], (one,), (other,), tuple(differs.items()))


def judged(one: Pair, *others: Pair, assumed: float = 0.0, matters: float = 1.1) -> Standing:
    """The first of them."""
    return standings([one, *others], assumed=assumed, matters=matters)[0]


@pytest.mark.parametrize(
    ("metric", "level", "verdict"),
    [
        (RATE, 0.7, Verdict.WORSE),
        (RATE, 1.4, Verdict.BETTER),
        (RATE, 1.0, Verdict.SAME),
        (TIME, 0.7, Verdict.BETTER),
        (TIME, 1.4, Verdict.WORSE),
        (SIZE, 0.7, Verdict.BETTER),
        (SIZE, 1.4, Verdict.WORSE),
    ],
)
def test_each_metric_knows_which_direction_is_better(metric: Metric, level: float, verdict: Verdict) -> None:
    assert judged(pair(samples(level), samples(1, seed=2), metric)).verdict is verdict


def test_ratios_of_times_say_how_many_times_as_fast() -> None:
    found = judged(pair(samples(0.5), samples(1, seed=2), TIME)).apart
    assert found and found.ratio == pytest.approx(2, rel=0.03)
    found = judged(pair(samples(0.5), samples(1, seed=2), SIZE)).apart
    assert found and found.ratio == pytest.approx(0.5, rel=0.03)


def test_what_runs_differ_by_hides_less_than_it() -> None:
    slower = pair(samples(0.85), samples(1, seed=2))
    assert judged(slower).verdict is Verdict.WORSE
    assert judged(slower, assumed=0.1).verdict is Verdict.OPEN


def test_what_matters_is_the_site_s() -> None:
    slower = pair(samples(0.94, noise=0.002), samples(1, seed=2, noise=0.002))
    assert judged(slower, matters=1.02).verdict is Verdict.WORSE
    assert judged(slower, matters=1.1).verdict is Verdict.SAME


def test_of_many_rows_each_needs_more() -> None:
    one = pair(samples(0.93, count=8), samples(1, count=8, seed=2))
    assert judged(one, matters=1.01).verdict is Verdict.WORSE
    many = [pair(samples(1, count=8, seed=seed), samples(1, count=8, seed=-seed)) for seed in range(20000)]
    assert judged(one, *many[:2], matters=1.01).verdict is Verdict.WORSE
    assert judged(one, *many, matters=1.01).verdict is Verdict.OPEN


def test_too_few_samples_and_zeros_give_no_verdict() -> None:
    few = judged(pair(samples(0.1, count=2), samples(1, seed=2)))
    assert few.verdict is Verdict.OPEN and few.apart and few.apart.low is None
    zero = judged(pair((0.0,) * 8, samples(1)))
    assert zero.verdict is Verdict.OPEN and zero.apart is None


def test_other_parameters_are_not_judged() -> None:
    found = judged(pair(samples(0.1), samples(1), transfer="4 KiB"))
    assert found.verdict is Verdict.OTHER and found.apart


def alternating(fast: int, of: int, seed: int = 1) -> tuple[float, ...]:
    draw = random.Random(seed)
    values = [1900.0] * fast + [500.0] * (of - fast)
    draw.shuffle(values)
    return tuple(value * math.exp(draw.gauss(0, 0.02)) for value in values)


def test_modes_are_compared_by_how_many_samples_are_in_the_faster_one() -> None:
    same = judged(pair(alternating(8, 16), alternating(8, 16, seed=2)))
    assert same.modes and same.verdict is Verdict.OPEN
    slower = judged(pair(alternating(3, 16), alternating(14, 16, seed=2)))
    assert slower.modes and slower.verdict is Verdict.WORSE
    faster = judged(pair(alternating(16, 16), alternating(5, 16, seed=2)))
    assert faster.modes and faster.verdict is Verdict.BETTER
    times = judged(pair(alternating(16, 16), alternating(5, 16, seed=2), TIME))
    assert times.verdict is Verdict.WORSE


def test_a_run_that_moves_all_modes_is_not_worse_for_that() -> None:
    """Where what runs differ by may carry samples across the cut between modes."""
    draw = random.Random(7)
    one = tuple(draw.choice((100.0, 130.0)) * math.exp(draw.gauss(0, 0.01)) for _ in range(40))
    moved = tuple(value * 1.15 for value in one)
    assert judged(pair(one, moved), assumed=0.2).verdict is Verdict.OPEN


def test_of_sides_of_other_sizes_shares_are_compared_and_not_counts() -> None:
    found = judged(pair(alternating(10, 40), alternating(10, 12, seed=2)))
    assert found.modes and found.verdict is Verdict.WORSE


@pytest.mark.parametrize(
    ("low", "high", "verdict"), [(0.912, 1.05, Verdict.SAME), (0.904, 1.05, Verdict.OPEN)]
)
def test_the_same_is_within_the_factor_to_both_sides(low: float, high: float, verdict: Verdict) -> None:
    assert verdict_of(Apart(math.sqrt(low * high), low, high), 1.1) is verdict


def test_several_sides_share_the_error() -> None:
    pairs = [pair(samples(1.0), samples(1.0, seed=2))]
    alone, of_eight = (standings(pairs, assumed=0.05, sides=sides)[0].apart for sides in (1, 8))
    assert alone and of_eight and alone.low and of_eight.low and of_eight.low < alone.low


def test_a_ratio_that_no_number_holds_is_none() -> None:
    found = judged(pair((1e-200,) * 8, (1e200,) * 8))
    assert found.apart is None and found.verdict is Verdict.OPEN


@pytest.mark.parametrize(
    ("verdicts", "whole"),
    [
        ([], Verdict.OPEN),
        ([Verdict.SAME, Verdict.SAME], Verdict.SAME),
        ([Verdict.SAME, Verdict.OTHER], Verdict.SAME),
        ([Verdict.OTHER], Verdict.OTHER),
        ([Verdict.SAME, Verdict.OPEN], Verdict.OPEN),
        ([Verdict.BETTER, Verdict.OPEN], Verdict.BETTER),
        ([Verdict.BETTER, Verdict.WORSE], Verdict.WORSE),
    ],
)
def test_the_verdict_of_all(verdicts: list[Verdict], whole: Verdict) -> None:
    assert verdict_of_all(verdicts) is whole
