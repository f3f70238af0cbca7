"""What is said and drawn of guidelines."""

import re

import pytest

from network_rows import network_row, suite, time_of
from rows import found
from weir.answers.answer import Answer, Certainty, Count, Number, Ratio
from weir.network.questions.guidelines import guidelines, judge_guidelines

SLOW = {1 << 20: 2.0, 1 << 21: 4.0}


def planted(function: str, size: int) -> float:
    return time_of(function, size) * (SLOW.get(size, 1) if function == "Allreduce" else 1)


def ratio(number: Number | Answer) -> Ratio:
    assert isinstance(number.value, Ratio)
    return number.value


def test_a_violation_is_named_with_both_figures_and_its_range() -> None:
    finding = found(judge_guidelines, suite(1, 0.01, 8, planted))
    count, worst = finding.answers
    assert isinstance(count.value, Count) and 0 < count.value.count < count.value.of
    assert (count.certainty, count.open_cases) == (Certainty.SURE, frozenset())
    assert (worst.subject, worst.decides) == (("Allreduce", "2 MiB", "on 4 ranks"), False)
    violated = [one for one in finding.numbers if one.remark.startswith("violated: ")]
    assert len(violated) > 1 and worst.value == violated[0].value
    assert ratio(worst).times == max(ratio(one).times for one in violated)
    (said,) = [one for one in violated if ratio(one).of == "Reduce + Bcast"]
    assert said.subject == ("Allreduce", "1 MiB to 2 MiB", "on 4 ranks", "2 MiB")
    value = ratio(said)
    assert value.low is not None and value.high is not None
    assert 1.1 < value.low < value.times < value.high and value.times == pytest.approx(4, rel=0.2)
    assert (value.n, value.unit) == (8, "times as long as")
    own, others = (2 * 4 * (1 + 256), 2 * (1 + 256))
    times = [float(one) for one in re.findall(r"([0-9.]+) µs", said.remark)]
    assert times == pytest.approx([own, others], rel=0.1)


def test_without_a_violation_the_nearest_are_numbers() -> None:
    finding = found(judge_guidelines, suite(1, 0.05, 8))
    (count,) = finding.answers
    assert isinstance(count.value, Count) and count.value.count == 0 < count.value.of
    assert {one.remark.partition(":")[0] for one in finding.numbers} == {"nearest"}
    assert ("Allreduce", "Reduce + Bcast") in {(one.subject[0], ratio(one).of) for one in finding.numbers}


def test_the_nearest_is_where_the_ratio_is_greatest() -> None:
    rows = [
        network_row(name, size, [time] * 8)
        for size, own in ((8, 1.0), (1024, 1.9), (1 << 20, 1.5))
        for name, time in (("Allreduce", own), ("Reduce", 1.0), ("Bcast", 1.0))
    ]
    numbers = found(judge_guidelines, rows).numbers
    (said,) = [one for one in numbers if ratio(one).of == "Reduce + Bcast"]
    assert said.subject == ("Allreduce", "1 KiB", "on 4 ranks", "1 KiB")
    assert said.remark == "nearest: 1.90 µs against 2.00 µs"


def test_too_few_rounds_leave_it_open() -> None:
    few = [network_row(name, 8, [1.0] * 4) for name in ("Reduce", "Allreduce")]
    (answer,) = found(judge_guidelines, few).answers
    assert (answer.value, answer.certainty, answer.action) == (None, Certainty.OPEN, "more-samples")
    assert answer.open_cases == {one.case for one in few}


def test_some_comparisons_with_too_few_rounds_leave_the_count_within_a_range() -> None:
    few = [network_row(name, 8, [1.0] * 4, ranks=8) for name in ("Reduce", "Allreduce")]
    finding = found(judge_guidelines, [*suite(1, 0.05, 8), *few])
    (count,) = finding.answers
    assert isinstance(count.value, Count) and count.certainty is Certainty.WITHIN
    assert count.open_cases == {one.case for one in few}


def test_comparisons_whose_calls_overlap_are_counted_as_left_out() -> None:
    rows = suite(1, 0.05, 8)
    apart = found(judge_guidelines, rows)
    assert not [one for one in apart.numbers if isinstance(one.value, Count)]
    loose = [
        network_row(name, 8, [1.0] * 8, ranks=8, start="none") for name in ("Allreduce", "Reduce", "Bcast")
    ]
    finding = found(judge_guidelines, [*rows, *loose])
    (left,) = [one for one in finding.numbers if isinstance(one.value, Count)]
    (count,) = finding.answers
    assert isinstance(left.value, Count) and isinstance(count.value, Count)
    assert left.value.count > 0 and left.value.of == left.value.count + count.value.of


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
