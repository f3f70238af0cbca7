"""What is said of a whole machine: its parts with all ranks, its balance, and where each is saturated."""

import pytest

from evaluation.rows import GB, case_rows, machine_rows
from rows import found
from weir.answers.answer import Answer, Certainty, Quantity, Ratio, Several, Threshold
from weir.evaluation.questions.machine import judge_machine, machine
from weir.figures.figure import Finding

CARD = {"memory": {"total_bytes": 64_000_000_000}}
COUNTS = (1, 2, 4, 8, 16)


def by_title(finding: Finding) -> dict[str, Answer]:
    return {one.title: one for one in finding.answers}


def values(answer: Answer) -> dict[str, Quantity | Ratio | Threshold | None]:
    assert isinstance(answer.value, Several)
    return dict(answer.value.values)


def test_numbers_are_those_of_all_ranks_together() -> None:
    said = by_title(found(judge_machine, machine_rows(COUNTS, 16), CARD))
    copy, hpl = values(said["Memory"])["copy"], values(said["Compute"])["HPL"]
    assert isinstance(copy, Quantity) and copy.median == pytest.approx(160 * GB)
    assert copy.low is not None and copy.low == pytest.approx(158.4 * GB)
    assert isinstance(hpl, Quantity) and hpl.median == pytest.approx(640e9)
    assert said["Memory"].certainty is Certainty.SURE


def test_the_balance_is_what_there_is_for_each_operation_of_hpl() -> None:
    rows = machine_rows(COUNTS, 16)
    balance = values(by_title(found(judge_machine, rows, CARD))["Balance"])
    copy, rings = balance["copy"], balance["rings"]
    assert isinstance(copy, Ratio) and copy.times == pytest.approx(160 / 640) and copy.unit == "B/flop"
    assert copy.low is not None and copy.high is not None and copy.low <= copy.times <= copy.high
    assert isinstance(rings, Ratio) and rings.times == pytest.approx(16 / 640)
    assert "dump of memory" not in balance


def test_each_part_has_the_rank_count_from_which_on_more_bring_no_more() -> None:
    said = by_title(found(judge_machine, machine_rows(COUNTS, 16), CARD))
    saturation = values(said["Saturation"])
    assert saturation == {
        "memory": Threshold("ranks", "8"),
        "compute": Threshold("ranks", "16", rising=True),
        "network": Threshold("ranks", "4"),
    }
    assert said["Saturation"].certainty is Certainty.SURE


def test_two_rank_counts_suffice_to_tell_and_one_does_not() -> None:
    said = by_title(found(judge_machine, machine_rows((1, 2), 2), CARD))
    saturation = values(said["Saturation"])
    assert saturation["memory"] == Threshold("ranks", "1")
    assert saturation["compute"] == Threshold("ranks", "2", rising=True)
    assert "network" not in saturation, "it has one rank count alone"


def test_what_was_not_measured_has_no_row() -> None:
    rows = case_rows("stream", 1, "copy", bandwidth_bytes_per_s=10 * GB)
    assert [*by_title(found(judge_machine, rows, CARD))] == ["Memory"]
    assert judge_machine([], CARD) is None


def test_rows_stand_in_the_order_of_the_parts() -> None:
    answers = found(judge_machine, machine_rows(COUNTS, 16), CARD).answers
    assert [one.title for one in sorted(answers, key=lambda one: -one.weight)] == [
        "Memory",
        "Compute",
        "Balance",
        "Saturation",
    ]


def test_the_picture_shows_how_many_ranks_alone_the_ranks_are_worth() -> None:
    [panel] = machine(machine_rows(COUNTS, 16), CARD)
    points = {(value["series"], value["x"]): value["y"] for value in panel.spec["data"]["values"]}
    assert points["STREAM copy", 16] == pytest.approx(8, rel=0.001)
    assert points["DGEMM", 16] == pytest.approx(16, rel=0.001)
    assert points["rings", 2] == 2 and points["rings", 16] == pytest.approx(4, rel=0.001)


def test_curves_of_one_rank_count_are_not_drawn() -> None:
    assert machine(machine_rows((1,), 2), CARD) == []
    [panel] = machine(machine_rows((1, 2), 2), CARD)
    assert "rings" not in {value["series"] for value in panel.spec["data"]["values"]}
