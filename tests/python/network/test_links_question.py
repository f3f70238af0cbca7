"""What is said of a matrix of links, and how it is drawn."""

import pytest

from link_samples import Machine, two_switches
from rows import found
from weir.answers.answer import Certainty, Count, Number, Quantity, Ratio
from weir.figures.figure import Finding
from weir.network.questions.links import judge_links, links


def of_remark(finding: Finding, remark: str) -> list[Number]:
    return [one for one in finding.numbers if one.remark == remark]


def test_a_slow_link_is_named_with_both_figures() -> None:
    finding = found(judge_links, Machine(6, slow={(1, 4): 2.0}).rows(1))
    *counts, slowest = finding.answers
    assert [(one.subject, one.value, one.certainty) for one in counts] == [
        ((phase,), Count(1, 15), Certainty.SURE) for phase in ("latency", "bandwidth")
    ]
    assert (slowest.title, slowest.subject) == ("Slowest link", ("n01 to n04", "latency"))
    assert slowest.value == of_remark(finding, "slow link")[0].value
    assert not finding.open_cases
    named = of_remark(finding, "slow link")
    assert {one.subject[1] for one in named} == {"n01 to n04"} and len(named) == 4
    for phase, scale, unit in (("latency, 8 B", 1.2, "us"), ("bandwidth, 1 MiB", (1 << 20) / 90e-6, "B/s")):
        ratio, own = (one.value for one in named if one.subject[0] == phase)
        assert isinstance(ratio, Ratio) and ratio.low is not None and ratio.high is not None
        assert 1.3 < ratio.low <= ratio.times <= ratio.high and ratio.times == pytest.approx(2, rel=0.2)
        assert ratio.n == 6
        slowed = 2.0 if unit == "us" else 0.5
        assert isinstance(own, Quantity) and (own.metric.unit, own.n) == (unit, 6)
        assert own.median == pytest.approx(scale * slowed, rel=0.5)


def test_a_slow_node_is_named_with_the_links_beside_it() -> None:
    finding = found(judge_links, Machine(12, slow_node=5, slow={(0, 1): 2.0}).rows(1))
    *counts, slowest = finding.answers
    assert [one.value for one in counts] == [Count(2, 66)] * 2
    assert (slowest.title, slowest.subject) == ("Slowest node", ("n05", "latency"))
    assert {one.subject[1] for one in of_remark(finding, "slow node")} == {"n05"}
    assert {one.subject[1] for one in of_remark(finding, "slow link")} == {"n00 to n01"}


def test_that_nothing_is_slow_is_said() -> None:
    finding = found(judge_links, Machine(6).rows(1))
    assert [one.value for one in finding.answers] == [Count(0, 15)] * 2
    assert [(one.subject[1], one.value) for one in of_remark(finding, "pairs measured")] == [
        ("6 nodes", Count(15, 15))
    ] * 2


def test_each_distance_has_its_best_median_and_worst_pair() -> None:
    finding = found(judge_links, Machine(6).rows(1))
    for phase in ("latency, 8 B", "bandwidth, 1 MiB"):
        numbers = [one for one in finding.numbers if one.subject[0] == phase and one.subject[2]]
        assert [one.remark for one in numbers] == [
            f"{one} of 15 pairs" for one in ("best", "median", "worst")
        ]
        assert {one.subject[2] for one in numbers} == {"between nodes"}
        medians = [one.value.median for one in numbers if isinstance(one.value, Quantity)]
        assert len(medians) == 3 and medians == sorted(medians, reverse="bandwidth" in phase)


def test_nodes_on_a_switch_of_their_own_are_told_apart() -> None:
    finding = found(judge_links, Machine(12, times=two_switches(3, 3.0)).rows(1))
    apart = of_remark(finding, "far from all others")
    assert {(one.subject[1], one.value) for one in apart} == {("n00, n01 and n02", Count(3, 12))}
    assert not of_remark(finding, "slow node")


def test_few_samples_leave_it_open_and_one_pair_cannot_tell() -> None:
    finding = found(judge_links, Machine(6).rows(1, samples=3))
    assert finding.certainty is Certainty.OPEN and finding.open_cases == {"a"}
    assert {(one.value, one.action) for one in finding.answers} == {(None, "more-samples")}
    pair = found(judge_links, Machine(2).rows(1))
    assert pair.certainty is Certainty.OPEN and not pair.open_cases
    assert {(one.value, one.action) for one in pair.answers} == {(None, "more-nodes")}
    assert [one.remark for one in pair.numbers if one.subject[2]] == ["median of 1 pair"] * 2
    assert judge_links([], {}) is None


def test_each_pair_is_a_cell_and_slow_ones_have_a_frame() -> None:
    rows = Machine(6, slow={(1, 4): 2.0}).rows(1)
    latency, bandwidth = links(rows, {})
    assert [latency.title, bandwidth.title] == ["Latency", "Bandwidth"]
    cells = latency.spec["data"]["values"]
    assert len(cells) == 30
    assert {(cell["x"], cell["y"]) for cell in cells if "f" in cell} == {("n01", "n04"), ("n04", "n01")}
    slowest = max(cells, key=lambda cell: cell["v"])
    assert "f" in slowest
    assert "f" in min(bandwidth.spec["data"]["values"], key=lambda cell: cell["v"])
