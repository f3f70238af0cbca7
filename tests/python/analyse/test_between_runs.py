"""How far two sides lie apart: false alarms and what is found, on made-up runs of known effect and noise."""

import math
import random
from collections.abc import Sequence

import pytest

from weir.analyse.between_runs import ASSUMED, Apart, Variation, apart, apart_in_turns, least_sure, variations

ROWS, TRIES = 50, 60
Side = list[list[float]]


def made(draw: random.Random, counts: tuple[int, int], spread: tuple[float, float], times: float = 1) -> Side:
    """So many runs of so many samples, around `times` 1000: how far levels spread between runs, and samples
    in a run."""
    (runs, samples), (between, noise) = counts, spread
    levels = [math.log(1000 * times) + draw.gauss(0, between) for _ in range(runs)]
    return [[math.exp(level + draw.gauss(0, noise)) for _ in range(samples)] for level in levels]


def judged(rows: Sequence[tuple[Side, Side]], assumed: float) -> list[Apart]:
    single = all(len(one) + len(other) == 2 for one, other in rows)
    spread = [Variation(assumed)] * len(rows) if single else variations(rows)
    share = 1 - 0.05 / len(rows)
    return [apart(one, other, known, share) for (one, other), known in zip(rows, spread, strict=True)]


def worse(found: Apart) -> bool:
    return found.high is not None and found.high < 1


@pytest.mark.parametrize(
    ("runs", "samples", "between", "noise"),
    [
        ((1, 1), 6, 0.0, 0.03),
        ((1, 1), 10, 0.0, 0.03),
        ((1, 1), 10, 0.05, 0.03),
        ((3, 1), 6, 0.05, 0.03),
        ((3, 3), 4, 0.05, 0.1),
        ((6, 1), 6, 0.2, 0.03),
        ((5, 1), 1, 0.05, 0.03),
    ],
)
def test_seldom_is_any_of_fifty_equal_rows_called_worse(
    runs: tuple[int, int], samples: int, between: float, noise: float
) -> None:
    draw = random.Random(f"{runs} {samples} {between}")
    false = 0
    for _ in range(TRIES):
        rows = [tuple(made(draw, (count, samples), (between, noise)) for count in runs) for _ in range(ROWS)]
        false += any(map(worse, judged([(one, other) for one, other in rows], between)))
    assert false <= 0.05 * TRIES + 2 * math.sqrt(0.05 * TRIES)


@pytest.mark.parametrize("runs", [(1, 1), (4, 1), (3, 3)])
def test_ten_percent_under_three_percent_of_noise_are_found(runs: tuple[int, int]) -> None:
    """Runs that differ by nothing but their noise; where each is one, that is known."""
    draw, found = random.Random(str(runs)), 0
    for _ in range(TRIES):
        rows = [
            (made(draw, (runs[1], 10), (0, 0.03)), made(draw, (runs[0], 10), (0, 0.03))) for _ in range(ROWS)
        ]
        rows[7] = made(draw, (runs[1], 10), (0, 0.03), 0.9), rows[7][1]
        found += worse(judged(rows, 0.0)[7])
    assert found >= 0.95 * TRIES


def test_two_single_runs_tell_no_less_than_what_runs_differ_by() -> None:
    """Samples without any noise: the factor that can be told is that of the variation alone."""
    for times, told in ((1.5, True), (1.05, False)):
        found = apart([[times] * 50], [[1.0] * 50], Variation(), 0.95)
        assert found.low is not None and (found.low > 1) is told
        assert found.ratio / found.low == pytest.approx(least_sure(Variation(), 0.95))


def test_runs_in_turns_share_what_the_machine_went_through() -> None:
    draw = random.Random(3)
    weather = [draw.gauss(0, 0.3) for _ in range(8)]
    ones = [[math.exp(one + draw.gauss(0, 0.01))] for one in weather]
    others = [[math.exp(one + draw.gauss(0, 0.01)) / 1.1] for one in weather]
    ratios = ([[one[0] / other[0]] for one, other in zip(ones, others, strict=True)],)
    (spread,) = variations([ratios])
    found = apart_in_turns(ones, others, spread, 0.95)
    assert found.low is not None and found.high is not None and 1.05 < found.low < 1.1 < found.high < 1.15
    (wide,) = variations([(ones, others)])
    apart_by_far = apart(ones, others, wide, 0.95)
    assert apart_by_far.low is not None and apart_by_far.low < 1


def test_variances_of_few_runs_are_drawn_to_that_of_all() -> None:
    draw = random.Random(1)
    rows = [(made(draw, (3, 1), (0.05, 0)), made(draw, (1, 1), (0.05, 0))) for _ in range(200)]
    found = variations(rows)
    assert all(0.03 < one.deviation < 0.08 for one in found)
    assert all(one.degrees > 5 for one in found)


def test_what_is_known_of_a_row_is_not_more_than_all_rows_tell() -> None:
    draw = random.Random(3)
    rows = [(made(draw, (2, 4), (0.05, 0.0)), made(draw, (2, 4), (0.05, 0.0))) for _ in range(4)]
    assert all(one.degrees <= 2 * len(rows) for one in variations(rows))


def test_a_row_that_nothing_is_known_of_varies_as_assumed() -> None:
    draw = random.Random(3)
    known, lacking = (made(draw, (runs, 4), (0.05, 0.0)) for runs in (2, 1))
    assert variations([(known,), (lacking,)], 0.2)[1] == Variation(0.2)


def test_without_repeated_runs_the_variation_is_assumed() -> None:
    row = ([[1.0]], [[2.0]])
    assert variations([row]) == [Variation(ASSUMED)]


def test_two_runs_and_one_know_at_least_what_is_assumed() -> None:
    rows = [([[1.0], [1.0]], [[1.0]]) for _ in range(20)]
    assert all(one.deviation >= ASSUMED for one in variations(rows))
