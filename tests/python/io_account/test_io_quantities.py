"""Claims about an application's I/O: decided run by run, by counts, or from two cases."""

from typing import Any

import pytest

from cloud_rows import records, run_row, runs
from cloud_runs import LARGE, SMALL, run_sample
from weir.errors import WeirError
from weir.questions.claim import Decision, Verdict, make_rule
from weir.results.row import Row


def decide(one: dict[str, Any], other: dict[str, Any], rows: list[Row], **bound: float) -> Decision:
    return make_rule({"rule": "io", "one": one, "other": other, **bound}).decide(rows, {})


OPEN, WRITE = {"quantity": "open"}, {"quantity": "write"}


@pytest.mark.parametrize(
    ("bound", "verdict"),
    [
        ({"at_least": 0.4}, Verdict.HOLDS),
        ({"at_least": 0.6}, Verdict.DOES_NOT_HOLD),
        ({"at_most": 0.6}, Verdict.HOLDS),
        ({"at_most": 0.4}, Verdict.DOES_NOT_HOLD),
    ],
)
def test_two_times_of_one_run(bound: dict[str, float], verdict: Verdict) -> None:
    decision = decide(OPEN, WRITE, [run_row(runs(SMALL))], **bound)
    assert decision.verdict is verdict
    assert decision.why == "0.500 times [0.500, 0.500] (n = 7)"


def test_times_are_divided_run_by_run() -> None:
    """Both vary a hundredfold, and together: their quotient does not vary at all."""
    varying = [run_sample("c", SMALL, open=0.1 * 2**at, write=0.2 * 2**at) for at in range(7)]
    assert decide(OPEN, WRITE, [run_row(records(*varying))], at_most=0.51).verdict is Verdict.HOLDS


BANDWIDTH = {"quantity": "write bandwidth"}
SMALL_CELLS, LARGE_CELLS = BANDWIDTH | {"cells": "128x128x64"}, BANDWIDTH | {"cells": "256x256x128"}


@pytest.mark.parametrize(
    ("one", "other", "row", "why"),
    [
        (
            OPEN,
            WRITE,
            run_row(runs(SMALL, count=5)),
            "there are too few runs for an interval: 0.500 times (no interval, n = 5)",
        ),
        (
            BANDWIDTH | {"steps": "largest"},
            BANDWIDTH | {"steps": "smallest"},
            run_row(runs(SMALL), steps=20),
            "only one such run was measured",
        ),
        (SMALL_CELLS, LARGE_CELLS, run_row(runs(SMALL)), "no such run was measured"),
        (OPEN, {"quantity": "seek"}, run_row(runs(SMALL)), "no time was spent in it"),
    ],
    ids=["few runs", "one case", "not run", "no time"],
)
def test_what_cannot_be_told(one: dict[str, Any], other: dict[str, Any], row: Row, why: str) -> None:
    decision = decide(one, other, [row], at_least=0.1)
    assert (decision.verdict, decision.why) == (Verdict.CANNOT_BE_TOLD, f"because {why}")


def test_counts_need_no_interval() -> None:
    small, all_of_them = {"quantity": "small requests"}, {"quantity": "requests"}
    decision = decide(small, all_of_them, [run_row(runs(SMALL, count=1))], at_most=0.05)
    assert decision.verdict is Verdict.HOLDS
    assert decision.why == "0.0427 times (counted, the same in every run)"


def test_two_cases_are_compared_with_opposite_ends() -> None:
    decision = decide(SMALL_CELLS, LARGE_CELLS, [run_row(runs(SMALL)), run_row(runs(LARGE))], at_least=1)
    expected = (218104384 * 8) / (436207760 * 64)
    assert decision.verdict is Verdict.DOES_NOT_HOLD
    assert decision.why.startswith(f"{expected:.4f} times [")


def test_several_cases_are_all_asked_and_named() -> None:
    rows = [run_row(runs(SMALL, open=0.1)), run_row(runs(LARGE))]
    decision = decide(OPEN, WRITE, rows, at_least=0.2)
    assert decision.verdict is Verdict.DOES_NOT_HOLD
    assert decision.why == "128 x 128 x 64 cells, 8 ranks: 0.0625 times [0.0625, 0.0625] (n = 7)"


def test_cases_are_compared_with_those_of_their_own_setting() -> None:
    rows = [
        run_row(runs(SMALL, open=seconds), method=method, files=files)
        for files, first in (("one", 0.1), ("per-step", 0.4))
        for method, seconds in (("independent", first), ("auto", 2 * first))
    ]
    one, other = (OPEN | {"method": method} for method in ("auto", "independent"))
    decision = decide(one, other, rows, at_least=1)
    assert decision.verdict is Verdict.HOLDS
    assert decision.why.count("2.00 times") == 2
    assert "cells, 8 ranks, files one" in decision.why and "cells, 8 ranks, files per-step" in decision.why


@pytest.mark.parametrize(
    "test",
    [
        {"one": {"quantity": "opn"}, "other": WRITE, "at_least": 1},
        {"one": OPEN, "other": {}, "at_least": 1},
        {"one": OPEN, "other": WRITE},
    ],
)
def test_a_rule_without_quantity_or_bound_is_refused(test: dict[str, Any]) -> None:
    with pytest.raises(WeirError, match="'io' cannot be used so"):
        make_rule({"rule": "io", **test})


def test_the_rule_in_words() -> None:
    words = make_rule({"rule": "io", "one": OPEN, "other": WRITE, "at_least": 0.2}).words()
    assert words == (
        "holds where the whole interval of (time in open) over (time in write) lies above 0.2, "
        "does not hold where all of it lies elsewhere"
    )
