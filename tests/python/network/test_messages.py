"""Functions of MPI over message sizes and over rank counts."""

from typing import Any

import pytest

from network_samples import network_row
from rows import found
from weir.answers.answer import Certainty, Quantity, Ratio
from weir.figures.figure import Finding
from weir.network.questions.messages import (
    call_time_ranks,
    judge_bandwidth,
    judge_bandwidth_over_ranks,
    judge_time,
    judge_time_over_ranks,
)
from weir.questions.question import draw
from weir.questions.ratio import RatioRule

STEADY = [1.0] * 8


def scaled(times: float) -> list[float]:
    return [times * one for one in (0.99, 1.0, 1.01, 1.0, 0.99, 1.0, 1.01, 1.0)]


def numbers(finding: Finding) -> dict[tuple[str, ...], tuple[float, float | None, float | None, int]]:
    """Median, interval, and count of each quantity."""
    return {
        one.subject: (one.value.median, one.value.low, one.value.high, one.value.n)
        for one in finding.numbers
        if isinstance(one.value, Quantity)
    }


def about(middle: float) -> Any:
    return pytest.approx((middle, 0.99 * middle, 1.01 * middle, 8))


def test_the_ends_of_each_curve_are_told() -> None:
    rows = [
        network_row("PingPong", 0, scaled(0.5)),
        network_row("PingPong", 1024, scaled(1)),
        network_row("PingPong", 1 << 20, scaled(100)),
        network_row("Allreduce", 8, scaled(2)),
    ]
    finding = found(judge_time, rows)
    assert numbers(finding) == {
        ("PingPong", "no bytes", "2 ranks"): about(0.5),
        ("PingPong", "1 MiB", "2 ranks"): about(100),
        ("Allreduce", "8 B", "2 ranks"): about(2),
    }
    (least,) = finding.answers
    assert (least.subject, least.certainty) == (("PingPong", "no bytes", "2 ranks"), Certainty.SURE)
    assert isinstance(least.value, Quantity) and least.value.median == 0.5
    assert finding.certainty is None, "a number decides no question"


def test_bandwidth_is_of_functions_that_have_one() -> None:
    rows = [
        network_row("PingPong", 1 << 20, STEADY),
        network_row("Sendrecv", 1 << 20, STEADY),
        network_row("Allreduce", 1 << 20, STEADY),
    ]
    finding = found(judge_bandwidth, rows)
    (best,) = finding.answers
    assert (best.subject, best.certainty) == (("Sendrecv", "1 MiB", "2 ranks"), Certainty.SURE)
    assert isinstance(best.value, Quantity) and best.value.median == 2e6 * (1 << 20)
    assert {one.subject[0] for one in finding.numbers} == {"PingPong", "Sendrecv"}
    assert not any(one.remark for one in finding.numbers)
    assert judge_bandwidth([network_row("Allreduce", 8, STEADY)], {}) is None


def test_another_function_that_may_be_as_fast_leaves_the_fastest_within_a_range() -> None:
    wide = [0.25, 0.3, 0.6, 0.6, 0.6, 0.6, 0.9, 1.2]
    rows = [
        network_row("PingPong", 1024, STEADY),
        network_row("PingPong", 1 << 19, [one / 2 for one in wide]),
        network_row("PingPong", 1 << 20, [9.0] * 8),
        network_row("Sendrecv", 1 << 20, STEADY),
    ]
    finding = found(judge_bandwidth, rows)
    (best,) = finding.answers
    assert (best.subject, best.certainty) == (("Sendrecv", "1 MiB", "2 ranks"), Certainty.WITHIN)
    assert [one.subject[:2] for one in finding.numbers if one.remark == "may be as fast"] == [
        ("PingPong", "512 KiB")
    ]
    few = found(judge_bandwidth, [network_row(one, 1024, [1.0] * 3) for one in ("PingPong", "Sendrecv")])
    assert few.answers[0].certainty is Certainty.OPEN
    assert [one.remark for one in few.numbers] == ["may be as fast", ""]


def test_growth_over_ranks_counts_those_that_take_part() -> None:
    rows = [
        network_row("Barrier", 0, scaled(1)),
        network_row("Barrier", 0, scaled(3), ranks=4),
        network_row("Barrier", 0, scaled(1.5), ranks=4, active=2),
    ]
    finding = found(judge_time_over_ranks, rows)
    assert numbers(finding) == {
        ("Barrier", "no bytes", "2 ranks"): about(1),
        ("Barrier", "no bytes", "4 ranks"): about(3),
        ("Barrier, of 4 started", "no bytes", "2 ranks"): about(1.5),
    }
    growth, alone = finding.answers
    assert (growth.subject, growth.certainty) == (("Barrier", "2 to 4 ranks"), Certainty.SURE)
    assert isinstance(growth.value, Ratio) and (growth.value.n, growth.value.unit) == (8, "times as long")
    assert (growth.value.times, growth.value.low, growth.value.high) == pytest.approx((3, 3, 3))
    assert alone.subject == ("Barrier, of 4 started", "no bytes", "2 ranks")
    assert isinstance(alone.value, Quantity)
    assert finding.certainty is None, "a number decides no question"


def test_bandwidth_over_ranks_is_compared_with_the_fewest() -> None:
    rows = [network_row("Sendrecv", 1 << 20, scaled(1)), network_row("Sendrecv", 1 << 20, scaled(4), ranks=8)]
    finding = found(judge_bandwidth_over_ranks, rows)
    (growth,) = finding.answers
    assert growth.subject == ("Sendrecv", "2 to 8 ranks")
    assert isinstance(growth.value, Ratio) and (growth.value.n, growth.value.unit) == (8, "times")
    assert (growth.value.times, growth.value.low, growth.value.high) == pytest.approx((0.25, 0.25, 0.25))


def test_growth_without_an_interval_is_open_and_what_grows_most_comes_first() -> None:
    growths = {"Barrier": 2.0, "Bcast": 9.0, "Reduce": 4.0, "Allreduce": 3.0, "Alltoall": 5.0}
    rows = [
        network_row(name, 8, [times] * 3, ranks=ranks)
        for name, growth in growths.items()
        for ranks, times in ((2, 1.0), (4, growth))
    ]
    answers = found(judge_time_over_ranks, rows).answers
    assert [one.subject[0] for one in answers] == ["Bcast", "Alltoall", "Reduce", "Allreduce"]
    assert {(one.certainty, one.action) for one in answers} == {(Certainty.OPEN, "more-samples")}
    ratios = [one for one in found(judge_time_over_ranks, rows).numbers if isinstance(one.value, Ratio)]
    assert len(ratios) == 5


def test_disturbed_calls_are_told_with_their_share_of_the_time() -> None:
    late = ((1e-6, 99), (1e-4, 1))
    finding = found(judge_time, [network_row("PingPong", 8, STEADY, histogram=late)])
    (said,) = [one for one in finding.numbers if isinstance(one.value, Ratio)]
    assert said.subject == ("PingPong", "8 B", "2 ranks")
    assert said.value == Ratio(pytest.approx(0.49, abs=0.005), None, None, 800, "of the time", "%")
    assert said.remark == "8 disturbed calls, longest 100 µs"
    quiet = found(judge_time, [network_row("PingPong", 8, STEADY)])
    assert not [one for one in quiet.numbers if isinstance(one.value, Ratio)]


def test_each_class_of_functions_has_a_panel_and_no_bytes_a_place() -> None:
    rows = [network_row(name, size, STEADY) for name in ("PingPong", "Bcast") for size in (0, 8)]
    drawing = draw("call-time", rows, {})
    assert drawing is not None
    assert [panel.title for panel in drawing.panels] == ["Between two ranks", "Collective calls"]
    assert [one["x"] for one in drawing.panels[0].spec["data"]["values"]] == [0.5, 8.0]


def test_each_function_has_a_panel_over_ranks_and_only_messages_a_size() -> None:
    rows = [
        network_row("Barrier", 0, scaled(1)),
        network_row("Bcast", 1 << 20, scaled(2)),
        network_row("Allgatherv", 1 << 20, scaled(2)),
        network_row("Allgatherv", 1 << 20, scaled(3), ranks=4),
    ]
    panels = call_time_ranks(rows, {})
    assert [panel.title for panel in panels] == ["Barrier", "Bcast", "Allgatherv"]
    finding = found(judge_time_over_ranks, rows)
    assert {one.subject[:2] for one in finding.numbers} == {
        ("Barrier", "no bytes"),
        ("Bcast", "1 MiB"),
        ("Allgatherv", "1 MiB"),
    }


def test_claims_about_times_say_how_many_times_as_fast() -> None:
    rule = RatioRule(
        one={"function": "Barrier", "ranks": 2, "metric": "time_us"},
        other={"function": "Barrier", "ranks": 4, "metric": "time_us"},
        at_least=1,
    )
    rows = [network_row("Barrier", 0, scaled(1)), network_row("Barrier", 0, scaled(3), ranks=4)]
    assert rule.decide(rows, {}).verdict == "holds"
    assert "how many times as fast (ranks 2) is as (ranks 4) in time_us" in rule.words()
