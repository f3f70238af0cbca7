"""Where a curve is highest is said only if it is sure; simulated, at most 5 % of what is said is false."""

import random
from typing import Any

import pytest

from rows import MIB, row, with_samples
from samples import BANDWIDTH
from weir.analyse.statistics import estimate_median
from weir.errors import WeirError
from weir.flash.questions.peak import find_peak
from weir.questions.claim import Verdict, make_rule
from weir.results.row import Row

RANKS = (1, 2, 4, 8)


def by_ranks(*speeds: float, spread: float = 0.01, **changes: Any) -> list[Row]:
    return [
        row("checkpoint", speed, ranks=ranks, spread=spread, moves="write", **changes)
        for ranks, speed in zip(RANKS, speeds, strict=False)
    ]


def decide(rows: list[Row], *at: int, **where: Any) -> tuple[Verdict, str]:
    test = {"rule": "peak", "along": "ranks", "at": list(at), "where": {"phase": "checkpoint", **where}}
    decision = make_rule(test).decide(rows, {})
    return decision.verdict, decision.why


CLEAR = by_ranks(500, 1000, 800, 600)
CASES: dict[str, tuple[list[Row], tuple[int, ...], Verdict, str]] = {
    "it is where it should be": (CLEAR, (2,), Verdict.HOLDS, "the best is 1000"),
    "one of several is enough": (CLEAR, (2, 32), Verdict.HOLDS, "surely above all others"),
    "it is surely elsewhere": (CLEAR, (4,), Verdict.DOES_NOT_HOLD, "with 2 ranks, surely above all others"),
    "another may be as high": (
        by_ranks(500, 1000, 990, 600, spread=0.02),
        (2,),
        Verdict.CANNOT_BE_TOLD,
        "and 4 ranks may be as high",
    ),
    "the rival is one that is accepted too": (
        by_ranks(500, 1000, 990, 600, spread=0.02),
        (2, 4),
        Verdict.HOLDS,
        "the best is 1000",
    ),
    "a doubtful rival does not save what is surely lower": (
        by_ranks(500, 1000, 990, 600, spread=0.02),
        (8,),
        Verdict.DOES_NOT_HOLD,
        "may be as high",
    ),
    "it was not measured there": (
        CLEAR,
        (16,),
        Verdict.CANNOT_BE_TOLD,
        "because nothing was measured with 16 ranks; the best is 1000",
    ),
    "beyond the last it may rise further": (
        by_ranks(100, 200, 400, 800),
        (8,),
        Verdict.CANNOT_BE_TOLD,
        "it may be higher still beyond",
    ),
    "without intervals nothing is sure": (
        [row("checkpoint", 500.0 * ranks, ranks=ranks, spread=None, n=3, moves="write") for ranks in RANKS],
        (8,),
        Verdict.CANNOT_BE_TOLD,
        "may be as high",
    ),
    "one point is no curve": (by_ranks(500), (1,), Verdict.CANNOT_BE_TOLD, "two points"),
}


@pytest.mark.parametrize(("rows", "at", "verdict", "says"), CASES.values(), ids=CASES)
def test_verdicts(rows: list[Row], at: tuple[int, ...], verdict: Verdict, says: str) -> None:
    found, why = decide(rows, *at)
    assert found is verdict
    assert says in why
    assert why.startswith("because") == (verdict is Verdict.CANNOT_BE_TOLD)


def test_all_curves_that_are_chosen_must_agree() -> None:
    rows = [*by_ranks(500, 1000, 800, 600, block=8), *by_ranks(500, 600, 800, 600, block=16)]
    verdict, why = decide(rows, 2)
    assert verdict is Verdict.DOES_NOT_HOLD and "with 4 ranks" in why
    assert decide(rows, 2, 4)[0] is Verdict.HOLDS
    assert decide(rows, 2, block=8)[0] is Verdict.HOLDS


def test_the_open_cases_are_those_that_may_be_highest() -> None:
    rows = by_ranks(500, 1000, 990, 600, spread=0.02)
    peak = find_peak(rows, lambda one: float(one.ranks))
    assert peak is not None and peak.open_cases == {rows[1].case, rows[2].case}


def test_the_rule_is_said_in_words() -> None:
    test = {"rule": "peak", "along": "ranks", "at": [8, 32], "where": {}}
    assert "bandwidth at 8 or 32 ranks is surely above" in make_rule(test).words()
    with pytest.raises(WeirError, match="needs a value"):
        make_rule(test | {"at": []})


def measured_curve(rng: random.Random, truth: list[float], noise: float, count: int) -> list[Row]:
    """A row of each rank count; samples of a round share half of the noise, as on a machine that drifts."""
    drift = [rng.lognormvariate(0, noise) for _ in range(count)]
    rows = []
    for ranks, speed in zip(RANKS, truth, strict=True):
        values = [speed * MIB * shared * rng.lognormvariate(0, noise) for shared in drift]
        estimate = estimate_median(values)
        assert estimate is not None
        one = row("checkpoint", 1.0, ranks=ranks, moves="write", metric=BANDWIDTH)
        numbers = {"median": estimate.median, "low": estimate.low, "high": estimate.high}
        rows.append(with_samples(Row(**{**vars(one), **numbers}), values))
    return rows


@pytest.mark.parametrize("noise", [0.03, 0.1, 0.2])
@pytest.mark.parametrize("truth", [[1000, 1000, 1000, 1000], [900, 980, 1000, 960]], ids=["flat", "round"])
def test_at_most_one_in_twenty_peaks_is_false(noise: float, truth: list[float]) -> None:
    """Looked at after every sample from the sixth on, as a run does that stops where the answer is clear."""
    rng = random.Random(f"peak-{noise}-{truth[0]}")
    runs, false = 200, 0
    for _ in range(runs):
        rows = measured_curve(rng, truth, noise, 24)
        false += any(claims_falsely(rows, truth, count) for count in range(6, 25, 3))
    assert false <= 0.05 * runs


def claims_falsely(rows: list[Row], truth: list[float], count: int) -> bool:
    """Whether the first samples make it sure of a rank count that another one equals or beats."""
    peak = find_peak([first_samples(row, count) for row in rows], lambda one: float(one.ranks))
    if peak is None or not peak.is_sure:
        return False
    of_best = truth[RANKS.index(peak.best.ranks)]
    return truth.count(of_best) > 1 or of_best < max(truth)


def first_samples(one: Row, count: int) -> Row:
    values = one.samples[:count]
    estimate = estimate_median(values)
    assert estimate is not None
    numbers = {"median": estimate.median, "low": estimate.low, "high": estimate.high}
    return with_samples(Row(**{**vars(one), **numbers}), values)


def test_a_clear_peak_is_found_with_a_dozen_samples() -> None:
    rng = random.Random("clear")
    found = [find_peak(measured_curve(rng, [700, 1000, 800, 600], 0.05, 12), ranks_of) for _ in range(20)]
    assert sum(peak is not None and peak.is_sure and peak.best.ranks == 2 for peak in found) >= 18


def ranks_of(one: Row) -> float:
    return float(one.ranks)
