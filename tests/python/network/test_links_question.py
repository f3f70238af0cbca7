"""What is said of a matrix of links, and how it is drawn."""

from link_samples import Machine
from rows import found
from weir.figures.figure import State
from weir.network.questions.links import judge_links, links


def test_a_slow_link_is_named_with_both_figures() -> None:
    finding = found(judge_links, Machine(6, slow={(1, 4): 2.0}).rows(1))
    assert finding.title.startswith("1 link is slow, n01 to n04, ")
    assert finding.title.endswith(" times the latency of other pairs; 15 of 15 pairs of 6 nodes measured")
    named = [said for said in finding.sentences if said.startswith("Slow link: n01 to n04, ")]
    assert len(named) == 2 and "µs" in named[0] and "MiB/s" in named[1]
    assert finding.state is State.ANSWERED


def test_a_slow_node_is_named_with_the_links_beside_it() -> None:
    finding = found(judge_links, Machine(12, slow_node=5, slow={(0, 1): 2.0}).rows(1))
    assert finding.title.startswith("Node n05 is slow with all its links (1 link is slow, n00 to n01), ")
    assert any(said.startswith("Slow node: n05, ") for said in finding.sentences)


def test_that_nothing_is_slow_is_said() -> None:
    finding = found(judge_links, Machine(6).rows(1))
    assert finding.title == "No link and no node is slow: 15 of 15 pairs of 6 nodes measured"
    assert finding.sentences[0].startswith("Latency: 15 pairs between nodes ")


def test_few_samples_leave_it_open_and_one_pair_cannot_tell() -> None:
    finding = found(judge_links, Machine(6).rows(1, samples=3))
    assert finding.state is State.OPEN and finding.open_cases == {"a"}
    assert finding.title.startswith("Whether a link is slow cannot be told: it takes 6 samples")
    pair = found(judge_links, Machine(2).rows(1))
    assert pair.title == "Whether a link is slow cannot be told: one pair has nothing to be compared with"
    assert "takes more nodes" in pair.wanting and not pair.open_cases
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
