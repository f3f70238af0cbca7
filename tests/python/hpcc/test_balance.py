"""Claims about what a system has for each operation of HPL, by samples of the same launches."""

from dataclasses import replace
from typing import Any

import pytest

from hpcc_samples import hpcc_rows
from weir.errors import WeirError
from weir.questions.claim import Decision, Verdict, make_rule
from weir.results.row import Row

ROWS = [*hpcc_rows(ranks=1), *hpcc_rows(ranks=2)]


def decide(rows: list[Row], phase: str = "star-copy", ranks: int = 2, **test: Any) -> Decision:
    return make_rule({"rule": "balance", "phase": phase, "ranks": ranks, **test}).decide(rows, {})


@pytest.mark.parametrize(
    ("test", "verdict", "why"),
    [
        # 2 x 16 / 80.
        ({"at_least": 0.36}, Verdict.HOLDS, "0.400 [0.400, 0.400] B/flop (n = 6)"),
        ({"at_least": 0.84, "at_most": 1.07}, Verdict.DOES_NOT_HOLD, "0.400 [0.400, 0.400] B/flop (n = 6)"),
        ({"at_least": 0.1, "phase": "star-dgemm"}, Verdict.HOLDS, "1.25 [1.25, 1.25] (n = 6)"),
        # A process has as much with one rank, and HPL is as fast: 0.4 / 0.2.
        ({"at_least": 1, "over": 1}, Verdict.HOLDS, "2.00 [2.00, 2.00] times (n = 6)"),
        (
            {"at_least": 0.2, "phase": "random-ring", "metric": "bandwidth_bytes_per_s"},
            Verdict.HOLDS,
            "0.300 [0.300, 0.300] B/flop (n = 6)",
        ),
    ],
)
def test_the_whole_interval_decides(test: dict[str, Any], verdict: Verdict, why: str) -> None:
    decision = decide(ROWS, **test)
    assert (decision.verdict, decision.why) == (verdict, why)


def test_an_interval_across_the_bound_leaves_it_open() -> None:
    # HPL drifts and the copies do not: from 0.4 to 0.4 / 1.5.
    steady = hpcc_rows(more={"star-copy": {"bandwidth_bytes_per_s": 16e9}})
    decision = decide(steady, at_least=0.36)
    assert decision.verdict is Verdict.CANNOT_BE_TOLD and decision.open_cases == {"with-2"}
    assert decision.why == (
        "because the interval reaches across the bound: 0.321 [0.267, 0.400] B/flop (n = 6)"
    )
    few = decide(hpcc_rows(samples=3), at_least=0.36)
    assert few.why.startswith("because there are too few launches for an interval: 0.400 B/flop (no interval")


def test_an_open_claim_on_two_numbers_of_ranks_asks_for_both() -> None:
    few = [*hpcc_rows(ranks=1, samples=3), *hpcc_rows(samples=3)]
    decision = decide(few, at_least=1, over=1)
    assert decision.verdict is Verdict.CANNOT_BE_TOLD
    assert decision.open_cases == {"with-1", "with-2"}


def test_both_measured_but_never_in_one_round_is_the_reason() -> None:
    rows = [*hpcc_rows(ranks=1), *hpcc_rows()]
    for row in rows:
        for sample in row.records:
            sample.round = (sample.round or 0) + (100 if row.ranks == 1 else 0)
    decision = decide(rows, at_least=1, over=1)
    assert decision.verdict is Verdict.CANNOT_BE_TOLD
    assert decision.why == "because no round measured both"


def test_of_data_in_the_caches_nothing_is_told_about_memory() -> None:
    rows = [*hpcc_rows(ranks=1, cached={"star-copy"}), *hpcc_rows(cached={"star-copy"})]
    decision = decide(rows, at_least=0.36)
    assert decision.verdict is Verdict.CANNOT_BE_TOLD and not decision.open_cases
    assert decision.why == (
        "because the processor's caches were measured in place of memory: 0.400 [0.400, 0.400] "
        "B/flop (n = 6, in the caches)"
    )
    assert decide(rows, at_least=0.2, phase="star-dgemm").verdict is Verdict.HOLDS, "it is of no cache"
    # One of the two sides is enough.
    rows = [*hpcc_rows(ranks=1, cached={"star-copy"}), *hpcc_rows()]
    assert decide(rows, at_least=1, over=1).verdict is Verdict.CANNOT_BE_TOLD


def test_what_was_not_measured_cannot_be_told() -> None:
    decision = decide(ROWS, ranks=64, over=32, at_most=1)
    assert decision.verdict is Verdict.CANNOT_BE_TOLD and not decision.open_cases
    assert decision.why == "because no launch with 64 ranks measured star-copy and HPL"
    assert decide(ROWS, "fft", at_least=1).verdict is Verdict.CANNOT_BE_TOLD


def test_it_says_what_it_compares_and_needs_a_bound() -> None:
    rule = {"rule": "balance", "phase": "fft", "ranks": 2, "at_most": 1}
    assert (
        make_rule(rule | {"over": 1})
        .words()
        .startswith(
            "holds where the whole interval of fft of all ranks for each operation of HPL, that with 2 ranks "
            "divided by that with 1 rank of the same round, lies below 1, "
        )
    )
    rings = {"phase": "random-ring", "metric": "bandwidth_bytes_per_s"}
    assert (
        make_rule(rule | rings)
        .words()
        .startswith(
            "holds where the whole interval of random-ring (bandwidth_bytes_per_s) of all ranks for each "
            "operation of HPL, with 2 ranks, lies below 1, "
        )
    )
    with pytest.raises(WeirError, match="needs one of at_least"):
        decide(ROWS)


def test_the_intervals_of_all_settings_share_the_five_percent() -> None:
    """Six launches have an interval of 95 %, and none of the 97.5 % that each of two settings needs."""
    rows = [
        replace(one, case=f"{one.case}-{block}", options={**one.options, "block": block})
        for block in (64, 128)
        for one in hpcc_rows()
    ]
    decision = decide(rows, at_least=0.36)
    assert decision.verdict is Verdict.CANNOT_BE_TOLD and decision.open_cases == {"with-2-64", "with-2-128"}
    assert decision.why.startswith("because there are too few launches for an interval: ")
