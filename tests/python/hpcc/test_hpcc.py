"""The tests of the HPC Challenge: the balance, and the figure."""

from dataclasses import replace

import pytest

from hpcc_samples import hpcc_rows
from rows import found
from weir.answers.answer import Answer, Certainty, Number, Quantity, Ratio
from weir.figures.figure import Finding
from weir.hpcc.questions.hpcc import PANELS, hpcc, judge_hpcc

MEMORY = {"matrix_bytes": 165e6, "total_bytes": 15e9, "share": 0.011, "conforming": False}


SYSTEM = "the processors' time"


def by_subject(finding: Finding) -> dict[str, Answer]:
    return {one.subject[0]: one for one in finding.answers}


def ratio(answer: Answer) -> tuple[float, float | None, float | None, int, str]:
    assert isinstance(answer.value, Ratio)
    value = answer.value
    return round(value.times, 6), rounded(value.low), rounded(value.high), value.n, value.unit


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def number(finding: Finding, of: str) -> Number:
    (found,) = (one for one in finding.numbers if one.subject == (of,))
    return found


def test_the_balance_is_of_all_ranks_and_of_the_same_launches() -> None:
    finding = found(judge_hpcc, hpcc_rows())
    rate, *balances = finding.answers
    assert rate.subject == ("rate",) and rate.setting == "2 ranks"
    assert isinstance(rate.value, Quantity)
    assert (rate.value.median, rate.value.n) == (pytest.approx(100e9), 6)
    assert {one.subject[0]: ratio(one) for one in balances} == {
        "share of DGEMM": (0.8, 0.8, 0.8, 6, "%"),
        "STREAM copy": (0.4, 0.4, 0.4, 6, "B/flop"),
        "random rings": (0.3, 0.3, 0.3, 6, "B/flop"),
    }
    assert {one.certainty for one in finding.answers} == {Certainty.SURE} and not finding.open_cases
    assert judge_hpcc([], {}) is None


def test_few_launches_leave_the_balance_open() -> None:
    few = found(judge_hpcc, hpcc_rows(samples=3))
    assert few.certainty is Certainty.OPEN and few.open_cases == {"with-2"}
    assert ratio(by_subject(few)["share of DGEMM"]) == (0.8, None, None, 3, "%")
    assert {one.action for one in few.answers} == {"more-samples"}


def test_what_spreads_widely_is_not_sure() -> None:
    noisy = [row for row in hpcc_rows() if row.phase != "hpl"]
    (system,) = [row for row in hpcc_rows() if row.phase == "hpl"]
    samples = tuple(rate * 80e9 for rate in (0.1, 0.2, 0.9, 1.0, 1.8, 2.0))
    noisy.append(replace(system, samples=samples, median=76e9, low=8e9, high=160e9))
    finding = found(judge_hpcc, noisy)
    assert {one.certainty for one in finding.answers} == {Certainty.WITHIN}


def test_a_balance_of_few_launches_asks_for_no_more_where_hpl_has_enough() -> None:
    rows = hpcc_rows(samples=12)
    few = hpcc_rows(samples=3)
    mixed = [one for one in rows if one.phase != "star-copy"]
    mixed += [one for one in few if one.phase == "star-copy"]
    finding = found(judge_hpcc, mixed)
    assert by_subject(finding)["STREAM copy"].certainty is Certainty.OPEN and not finding.open_cases


def test_a_matrix_of_less_than_half_of_the_memory_is_not_conforming() -> None:
    memory = MEMORY | {"conforming_size": 43008}
    small = number(found(judge_hpcc, hpcc_rows(details={"hpl": {"memory": memory}})), "matrix of HPL")
    assert small.value == Ratio(0.011, None, None, 1, "of the memory", "%")
    assert small.remark == "conforming from order 43,008"
    assert found(judge_hpcc, hpcc_rows(details={"hpl": {"memory": MEMORY}})).numbers == (), "torn"
    large = {"hpl": {"memory": memory | {"share": 0.52, "conforming": True}}}
    conforming = number(found(judge_hpcc, hpcc_rows(details=large)), "matrix of HPL")
    assert conforming.value == Ratio(0.52, None, None, 1, "of the memory", "%")
    assert conforming.remark == ""


@pytest.mark.parametrize("shares", [{"before": 0.002, "after": 0.03}, {"after": 0.0}])
def test_other_work_is_told_where_it_was_looked_for(shares: dict[str, float]) -> None:
    noise = {f"noise-{when}": {"lost_share": share} for when, share in shares.items()}
    assert found(judge_hpcc, hpcc_rows(more=noise)).numbers == tuple(
        Number((f"other work {when} the tests",), Ratio(share, share, share, 6, f"of {SYSTEM}", "%"))
        for when, share in shares.items()
    )


def test_other_work_of_few_launches_has_no_interval() -> None:
    rows = hpcc_rows(samples=3, more={"noise-before": {"lost_share": 0.01}})
    noise = number(found(judge_hpcc, rows), "other work before the tests")
    assert noise.value == Ratio(0.01, None, None, 3, f"of {SYSTEM}", "%")


def test_a_balance_of_the_caches_is_marked() -> None:
    finding = found(judge_hpcc, hpcc_rows(cached={"star-copy"}))
    assert {name: one.certainty for name, one in by_subject(finding).items()} == {
        "rate": Certainty.SURE,
        "share of DGEMM": Certainty.SURE,
        "STREAM copy": Certainty.WITHIN,
        "random rings": Certainty.SURE,
    }
    assert [one.subject[0] for one in finding.answers if "in the caches" in one.setting] == ["STREAM copy"]


def test_a_panel_has_tests_of_one_metric() -> None:
    panels = hpcc(hpcc_rows(), {})
    titles = [panel.title for panel in panels]
    assert titles == [
        "HPL and products of matrices",
        "Bandwidth of memory, per process",
        "Transposition of a matrix, by all ranks",
        "Rings and ping-pong of 8 B",
    ]
    assert panels[1].spec["layer"][0]["encoding"]["y"]["title"] == "bandwidth (GB/s)"
    series = {value["series"] for value in panels[0].spec["data"]["values"]}
    assert series == {"hpl", "star-dgemm"}
    states = {value["state"] for value in hpcc(hpcc_rows(cached={"star-copy"}), {})[1].spec["data"]["values"]}
    assert states == {"of the processor's caches"}
    assert len({phase for phases in PANELS.values() for phase in phases}) == sum(map(len, PANELS.values()))


def test_a_panel_has_no_test_that_ran_by_itself() -> None:
    alone = [replace(one, benchmark="hpl", case="alone") for one in hpcc_rows(ranks=4) if one.phase == "hpl"]
    values = hpcc([*hpcc_rows(), *alone], {})[0].spec["data"]["values"]
    assert values == hpcc(hpcc_rows(), {})[0].spec["data"]["values"]


def test_the_balance_is_that_of_the_most_ranks() -> None:
    finding = found(judge_hpcc, [*hpcc_rows(ranks=4), *hpcc_rows(ranks=2)])
    assert {one.setting for one in finding.answers} == {"4 ranks"}
    assert ratio(by_subject(finding)["STREAM copy"])[0] == 0.8
