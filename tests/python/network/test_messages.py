"""Functions of MPI over message sizes and over rank counts."""

from network_samples import network_row
from rows import found
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


def test_the_ends_of_each_curve_are_told() -> None:
    rows = [
        network_row("PingPong", 0, scaled(0.5)),
        network_row("PingPong", 1 << 20, scaled(100)),
        network_row("Allreduce", 8, scaled(2)),
    ]
    finding = found(judge_time, rows)
    assert finding.title.startswith("PingPong of no bytes takes 0.500 [0.495, 0.505] µs (n = 8), ")
    assert finding.title.endswith("1 other function beside it")
    assert finding.sentences == (
        "PingPong: 0.500 [0.495, 0.505] µs (n = 8) with no bytes and 100 [99.0, 101] µs (n = 8) with 1 MiB.",
        "Allreduce: 2.00 [1.98, 2.02] µs (n = 8) with 8 B.",
    )


def test_bandwidth_is_of_functions_that_have_one() -> None:
    rows = [
        network_row("PingPong", 1 << 20, STEADY),
        network_row("Sendrecv", 1 << 20, STEADY),
        network_row("Allreduce", 1 << 20, STEADY),
    ]
    finding = found(judge_bandwidth, rows)
    assert finding.title.startswith("Sendrecv is fastest, with 2,000,000 ")
    assert len(finding.sentences) == 2
    assert judge_bandwidth([network_row("Allreduce", 8, STEADY)], {}) is None


def test_growth_over_ranks_counts_those_that_take_part() -> None:
    rows = [
        network_row("Barrier", 0, scaled(1)),
        network_row("Barrier", 0, scaled(3), ranks=4),
        network_row("Barrier", 0, scaled(1.5), ranks=4, active=2),
    ]
    finding = found(judge_time_over_ranks, rows)
    assert finding.title == "Time of Barrier, 2 to 4 ranks"
    assert finding.sentences[0] == (
        "Barrier: 1.00 [0.990, 1.01] µs (n = 8) with 2 ranks and 3.00 [2.97, 3.03] µs (n = 8) with 4 ranks, "
        "3.00 times [3.00, 3.00] as long (n = 8 pairs)."
    )
    assert finding.sentences[1].startswith("Barrier, of 4 started: 1.50 ")


def test_bandwidth_over_ranks_is_compared_with_the_fewest() -> None:
    rows = [network_row("Sendrecv", 1 << 20, scaled(1)), network_row("Sendrecv", 1 << 20, scaled(4), ranks=8)]
    finding = found(judge_bandwidth_over_ranks, rows)
    assert finding.title == "Bandwidth of Sendrecv of 1 MiB, 2 to 8 ranks"
    assert finding.sentences[0].endswith(
        "with 8 ranks, 0.25 times [0.25, 0.25] that of 2 ranks (n = 8 pairs)."
    )


def test_disturbed_calls_are_told_with_their_share_of_the_time() -> None:
    late = ((1e-6, 99), (1e-4, 1))
    finding = found(judge_time, [network_row("PingPong", 8, STEADY, histogram=late)])
    (said,) = finding.details
    assert said.startswith(
        "PingPong, 8 B, 2 ranks: 8 of 800 calls took more than 4 times the median one, 49 % of the time"
    )
    assert found(judge_time, [network_row("PingPong", 8, STEADY)]).details == ()


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
    title = found(judge_time_over_ranks, rows).title
    assert title == "Time of Barrier, and of Bcast and Allgatherv of 1 MiB, 2 to 4 ranks"


def test_claims_about_times_say_how_many_times_as_fast() -> None:
    rule = RatioRule(
        one={"function": "Barrier", "ranks": 2, "metric": "time_us"},
        other={"function": "Barrier", "ranks": 4, "metric": "time_us"},
        at_least=1,
    )
    rows = [network_row("Barrier", 0, scaled(1)), network_row("Barrier", 0, scaled(3), ranks=4)]
    assert rule.decide(rows, {}).verdict == "holds"
    assert "how many times as fast (ranks 2) is as (ranks 4) in time_us" in rule.words()
