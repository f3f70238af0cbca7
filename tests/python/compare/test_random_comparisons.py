"""Comparisons of made-up runs of odd shapes: against a plain count of all quotients, and against themselves
the other way round, in another unit and in another order."""

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from statistics import NormalDist, median

import pytest

from rows import row
from weir.analyse.metric import Metric
from weir.analyse.statistics import FEWEST_SAMPLES
from weir.compare.comparison import Compared, Rules, compare
from weir.compare.sides import Side, SideRun
from weir.compare.standings import Standing, Verdict
from weir.results.row import Row

RATE = Metric("updates_per_s", "UP/s", "update rate", greater_is_better=True)
TIME = Metric("elapsed_s", "s", "time", greater_is_better=False)
SWAPPED = {Verdict.WORSE: Verdict.BETTER, Verdict.BETTER: Verdict.WORSE}
ERROR, ASSUMED, MOST_ORDERS = 0.05, 0.05, 4000
Samples = tuple[float, ...]


def measured(number: int, samples: Samples, metric: Metric = RATE) -> Row:
    """Row `number` of a run."""
    return replace(row("write", 1, transfer=1024 * (number + 1)), metric=metric, samples=samples)


def side(name: str, *runs: Sequence[Row], first: int = 0, step: int = 1) -> Side:
    """Runs made on the days `first`, `first` + `step`, …"""
    days = [f"2026-11-{1 + first + step * number:02}T08:00:00Z" for number in range(len(runs))]
    plain = SideRun("made up", "", "0.1", {}, (), on_storage=True)
    made = [replace(plain, made=day, rows=tuple(rows)) for day, rows in zip(days, runs, strict=True)]
    return Side(Path(name), tuple(made))


def compared(one: Side, other: Side) -> Compared:
    """`one` against `other`."""
    return compare([other, one], Rules(assumed=ASSUMED)).compared[0]


def standings_of(ones: Sequence[Row], others: Sequence[Row]) -> tuple[Standing, ...]:
    """Of a run against another."""
    return compared(side("a", ones), side("b", others)).standings


def drawn(draw: random.Random) -> Samples:
    """Samples of an odd shape."""
    count, level = draw.choice((1, 2, 3, 4, 5, 7, 11)), 10 ** draw.uniform(-9, 12)
    shape = draw.choice(("even", "ties", "constant", "tail", "zeros", "negative"))
    noise = [draw.gauss(0, 0.05) for _ in range(count)]
    if shape == "ties":
        return tuple(level * draw.choice((1.0, 1.02, 1.04)) for _ in noise)
    if shape == "tail":
        return tuple(level * (1 + 0.02 * draw.paretovariate(1.5)) for _ in noise)
    if shape in ("zeros", "negative"):
        return tuple(level * (max(one, 0.0) if shape == "zeros" else one) for one in noise)
    return tuple(level * (1.0 if shape == "constant" else math.exp(one)) for one in noise)


def both(seed: int) -> tuple[list[Row], list[Row]]:
    """Two runs of the same rows."""
    draw, ones, others = random.Random(seed), [], []
    for number in range(draw.choice((1, 2, 7, 20))):
        metric, other, times = draw.choice((RATE, TIME)), drawn(draw), draw.choice((0.5, 1, 1, 1.3))
        one = tuple(value * times * math.exp(draw.gauss(0, 0.02)) for value in other)
        ones.append(measured(number, one, metric))
        others.append(measured(number, other, metric))
    return ones, others


def doubled(rows: Sequence[Row]) -> list[Row]:
    """In a unit of half the size."""
    return [replace(one, samples=tuple(2 * value for value in one.samples)) for one in rows]


def counted(standing: Standing, rows: int) -> tuple[float, float, float] | None:
    """The logarithms of the ratio and of its ends, by the number of orders in which so many quotients lie
    below 1; null where even all quotients are too few, or orders too many."""
    better = standing.row.metric.greater_is_better
    top, bottom = (standing.pair.ones, standing.pair.others)[:: 1 if better else -1]
    apart = sorted(math.log(one / other) for one in top[0] for other in bottom[0])
    count, total, share = len(top[0]), len(top[0]) + len(bottom[0]), ERROR / rows
    if math.comb(total, count) > MOST_ORDERS or min(count, total - count) < FEWEST_SAMPLES:
        return None
    below = [sum(places) - count * (count - 1) // 2 for places in combinations(range(total), count)]
    tails = [sum(one <= rank for one in below) / len(below) for rank in range(len(apart))]
    sure = [rank for rank, tail in enumerate(tails) if 2 * tail <= share]
    if not sure:
        return None
    middle, between = median(apart), NormalDist().inv_cdf(1 - share / 2) * math.sqrt(2) * ASSUMED
    below_by, above_by = (math.hypot(middle - apart[at], between) for at in (sure[-1], -1 - sure[-1]))
    return middle, middle - below_by, middle + above_by


@pytest.mark.parametrize("seed", range(25))
def test_intervals_are_those_of_a_plain_count(seed: int) -> None:
    """Wherever that is quick."""
    told = [one for one in standings_of(*both(seed)) if one.apart]
    for one in told:
        expected = counted(one, len(told))
        if one.apart and expected:
            assert one.apart.low and one.apart.high
            found = [math.log(value) for value in (one.apart.ratio, one.apart.low, one.apart.high)]
            assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(100))
def test_the_other_way_round_worse_is_better(seed: int) -> None:
    """And a ratio is the inverse."""
    ones, others = both(seed)
    for mine, yours in zip(standings_of(ones, others), standings_of(others, ones), strict=True):
        assert SWAPPED.get(mine.verdict, mine.verdict) is yours.verdict
        assert not (mine.apart and yours.apart) or mine.apart.ratio * yours.apart.ratio == pytest.approx(1)


@pytest.mark.parametrize("seed", range(100))
def test_verdicts_depend_on_neither_unit_nor_order(seed: int) -> None:
    """Of rows, and of samples that lie around one value."""
    ones, others = both(seed)
    plain = [one.verdict for one in standings_of(ones, others)]
    assert [one.verdict for one in standings_of(doubled(ones), doubled(others))] == plain
    turned = [replace(one, samples=tuple(sorted(one.samples))) for one in reversed(others)]
    assert [one.verdict for one in standings_of(ones, turned)] == plain


@pytest.mark.parametrize("count", [20, 61, 100, 121])
def test_samples_in_turns_are_as_good_as_those_that_begin_with_the_other(count: int) -> None:
    """However many there are: not every second of them may be left out."""
    values = [1.0 + at % 7 / 1000 if at % 2 else 2.0 + at % 5 / 1000 for at in range(count + 1)]
    (found,) = standings_of([measured(0, tuple(values[1:]))], [measured(0, tuple(values[:-1]))])
    assert found.verdict is Verdict.OPEN and found.apart and found.apart.ratio == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("lacking", [(), ((0, 0),), ((0, 0), (1, 4)), ((0, 1), (0, 2), (0, 3), (1, 0))])
def test_runs_in_turns_are_compared_with_their_neighbours(lacking: tuple[tuple[int, int], ...]) -> None:
    """The machine gets faster all the time; a run of either side may lack a row."""
    draw, sides = random.Random(1), []
    for first, name in enumerate("ab"):
        levels = [1.3**at * math.exp(draw.gauss(0, 0.01)) for at in range(5)]
        runs = [[measured(number, (level,)) for number in (0, 1)] for level in levels]
        kept = [rows[1:] if (first, at) in lacking else rows for at, rows in enumerate(runs)]
        sides.append(side(name, *kept, first=first, step=2))
    found = compared(sides[0], sides[1])
    assert found.turns and {one.verdict for one in found.standings} <= {Verdict.SAME, Verdict.OPEN}
