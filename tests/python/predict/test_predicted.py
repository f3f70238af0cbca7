"""Claims about how near a benchmark comes to an application."""

from typing import Any

import pytest

from prediction_rows import rows
from weir.errors import WeirError
from weir.questions.claim import Decision, Verdict, make_rule
from weir.results.row import Row


def decide(given: list[Row], imitation: str = "shan-2007", direction: str = "read", **test: Any) -> Decision:
    test = {"rule": "prediction", "imitation": imitation, "direction": direction, **test}
    return make_rule(test).decide(given, {})


@pytest.mark.parametrize(
    ("test", "verdict", "why"),
    [
        (
            {"imitation": "derived", "within": 1.1},
            Verdict.HOLDS,
            "1 rank: 1.05 [1.05, 1.05] (n = 11) and 4 ranks: 1.05 [1.05, 1.05] (n = 11)",
        ),
        ({"within": 1.1, "ranks": 4}, Verdict.DOES_NOT_HOLD, "4 ranks: 1.50 [1.50, 1.50] (n = 11)"),
        ({"at_least": 1.1, "ranks": 1}, Verdict.HOLDS, "1 rank: 1.50 [1.50, 1.50] (n = 11)"),
        # Of both written phases together: one number a case.
        (
            {"direction": "write", "at_most": 1.4, "ranks": 4},
            Verdict.DOES_NOT_HOLD,
            "4 ranks: 1.50 [1.50, 1.50] (n = 11)",
        ),
        (
            {"within": 1.1, "ranks": 64},
            Verdict.CANNOT_BE_TOLD,
            "because no reads with 64 ranks were measured and predicted by preset shan-2007",
        ),
    ],
)
def test_the_interval_of_predicted_over_measured_decides(
    test: dict[str, Any], verdict: Verdict, why: str
) -> None:
    decision = decide(rows(), **test)
    assert (decision.verdict, decision.why) == (verdict, why)


def test_few_pairs_leave_it_open_and_name_both_cases() -> None:
    decision = decide(rows(count=3), ranks=4, within=1.1)
    assert decision.verdict is Verdict.CANNOT_BE_TOLD
    assert decision.why.startswith("because there are too few pairs for an interval: 4 ranks: 1.50 (no inter")
    assert decision.open_cases == {"none-4", "shan-2007-4"}


def test_the_intervals_of_all_cases_share_the_five_percent() -> None:
    """Six pairs have an interval of 95 %, and none of the 97.5 % that each of two cases needs."""
    assert decide(rows(count=6), ranks=1, at_least=1.1).verdict is Verdict.HOLDS
    assert decide(rows(count=6), at_least=1.1).verdict is Verdict.CANNOT_BE_TOLD


def test_it_says_what_it_compares() -> None:
    made = make_rule({"rule": "prediction", "imitation": "derived", "direction": "write", "within": 1.1})
    assert made.words() == (
        "holds where the whole interval of predicted over measured bandwidth of all writes, by derived "
        "parameters, lies between 0.909 and 1.1, does not hold where all of it lies elsewhere"
    )
    with pytest.raises(WeirError, match="'sideways'"):
        decide([], direction="sideways", within=1.1)
