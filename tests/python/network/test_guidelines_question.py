"""What is said and drawn of guidelines."""

from network_rows import network_row, suite, time_of
from rows import found
from weir.figures.figure import State
from weir.network.questions.guidelines import guidelines, judge_guidelines

SLOW = {1 << 20: 2.0, 1 << 21: 4.0}


def planted(function: str, size: int) -> float:
    return time_of(function, size) * (SLOW.get(size, 1) if function == "Allreduce" else 1)


def test_a_violation_is_named_with_both_figures_and_its_range() -> None:
    finding = found(judge_guidelines, suite(1, 0.01, 8, planted))
    assert finding.title.startswith("Allreduce takes ")
    assert " at 2 MiB on 4 ranks, the worst of " in finding.title
    (said,) = [one for one in finding.sentences if "slower than Reduce + Bcast" in one]
    assert said.startswith(
        "Allreduce of 1 MiB to 2 MiB on 4 ranks is surely slower than Reduce + Bcast. "
        "At 2 MiB, where it loses most: "
    )
    assert "(Reduce of 2 MiB " in said
    assert said.endswith("(n = 8 rounds).")
    assert finding.state is State.ANSWERED


def test_without_a_violation_the_nearest_are_details() -> None:
    finding = found(judge_guidelines, suite(1, 0.05, 8))
    assert finding.title.startswith("No function of MPI is surely slower than what could stand in for it (")
    assert finding.sentences == ()
    assert any(one.startswith("Allreduce(m) ≤ Reduce(m) + Bcast(m): not shown") for one in finding.details)


def test_the_nearest_is_where_the_ratio_is_greatest() -> None:
    rows = [
        network_row(name, size, [time] * 8)
        for size, own in ((8, 1.0), (1024, 1.9), (1 << 20, 1.5))
        for name, time in (("Allreduce", own), ("Reduce", 1.0), ("Bcast", 1.0))
    ]
    details = found(judge_guidelines, rows).details
    (said,) = [one for one in details if one.startswith("Allreduce(m) ≤ Reduce(m) + Bcast(m): ")]
    assert "nearest to it with Allreduce of 1 KiB on 4 ranks, 1.90 µs against 2.00 µs" in said


def test_too_few_rounds_leave_it_open() -> None:
    finding = found(judge_guidelines, [network_row(name, 8, [1.0] * 4) for name in ("Reduce", "Allreduce")])
    assert finding.state is State.OPEN
    assert len(finding.open_cases) == 2


def test_nothing_to_compare_says_nothing() -> None:
    assert judge_guidelines([network_row("Bcast", 8, [1.0] * 8)], {}) is None


def test_violating_functions_are_drawn_with_marks_at_the_sizes() -> None:
    panels = guidelines(suite(1, 0.01, 8, planted), {})
    assert panels[0].title == "Allreduce on 4 ranks"
    marks = panels[0].spec["layer"][-1]["data"]["values"]
    assert {(mark["x"], mark["series"]) for mark in marks if "Bcast" in mark["series"]} == {
        (size, "Reduce + Bcast") for size in SLOW
    }


def test_without_a_violation_the_nearest_functions_are_drawn() -> None:
    panels = guidelines(suite(1, 0.05, 8), {})
    assert 1 < len(panels) <= 6
    assert all(len(panel.spec["layer"]) == 2 for panel in panels)
