"""The tests of the HPC Challenge: the balance, and the figure."""

from dataclasses import replace

import pytest

from hpcc_samples import hpcc_rows
from rows import found
from weir.figures.figure import State
from weir.hpcc.questions.hpcc import PANELS, hpcc, judge_hpcc

MEMORY = {"matrix_bytes": 165e6, "total_bytes": 15e9, "share": 0.011, "conforming": False}


def test_the_balance_is_of_all_ranks_and_of_the_same_launches() -> None:
    finding = found(judge_hpcc, hpcc_rows())
    assert finding.title == "HPL: 100 Gflop/s with 2 ranks, 0.800 of the rate of products of matrices"
    assert finding.sentences == (
        "HPL runs at 0.800 [0.800, 0.800] (n = 6) of the rate of products of matrices.",
        "For each of its operations, STREAM copy reads and writes 0.400 [0.400, 0.400] B (n = 6).",
        "For each of its operations, 0.300 [0.300, 0.300] B (n = 6) can cross random rings.",
    )
    assert finding.state is State.ANSWERED
    few = found(judge_hpcc, hpcc_rows(samples=3))
    assert few.state is State.OPEN and few.open_cases == {"with-2"}
    assert few.title == "HPL: 88.0 Gflop/s with 2 ranks", "a share without an interval is no title"
    assert judge_hpcc([], {}) is None


def test_a_matrix_of_less_than_half_of_the_memory_is_not_conforming() -> None:
    memory = MEMORY | {"conforming_size": 43008}
    small = found(judge_hpcc, hpcc_rows(details={"hpl": {"memory": memory}}))
    assert small.title.endswith(" of the rate of products of matrices; its size is not conforming")
    assert small.sentences[-1] == (
        "HPL's matrix took 1.1 % of the memory; results to publish need half of it or more, here an order of "
        "43,008."
    )
    assert len(found(judge_hpcc, hpcc_rows(details={"hpl": {"memory": MEMORY}})).sentences) == 3, "torn"
    large = {"hpl": {"memory": memory | {"share": 0.52, "conforming": True}}}
    finding = found(judge_hpcc, hpcc_rows(details=large))
    assert "conforming" not in finding.title
    assert finding.sentences[-1].endswith(
        "took 52 % of the memory; results to publish need half of it or more."
    )


@pytest.mark.parametrize(
    ("shares", "says"),
    [
        (
            {"before": 0.002, "after": 0.03},
            "0.20 % [0.20 %, 0.20 %] (n = 6) of the processors' time before the tests "
            "and 3.0 % [3.0 %, 3.0 %] (n = 6) after",
        ),
        ({"after": 0.0}, "0 % [0 %, 0 %] (n = 6) of the processors' time after the tests"),
    ],
)
def test_other_work_is_told_where_it_was_looked_for(shares: dict[str, float], says: str) -> None:
    noise = {f"noise-{when}": {"lost_share": share} for when, share in shares.items()}
    assert found(judge_hpcc, hpcc_rows(more=noise)).sentences[-1] == f"Other work took {says} (medians)."


def test_other_work_of_few_launches_has_no_interval() -> None:
    rows = hpcc_rows(samples=3, more={"noise-before": {"lost_share": 0.01}})
    assert "1.0 % (no interval, n = 3)" in found(judge_hpcc, rows).sentences[-1]


def test_a_balance_of_the_caches_is_marked() -> None:
    finding = found(judge_hpcc, hpcc_rows(cached={"star-copy"}))
    marked = [one for one in finding.sentences if "fitted the caches" in one]
    assert len(marked) == 1 and "STREAM copy" in marked[0]


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
    assert " with 4 ranks, " in finding.title
