"""Messages within a node are nowhere called the network's: rows of launches on one node and on several."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluation.rows import machine_rows
from link_samples import rows_of
from network_samples import network_row
from rows import found
from sample_lines import sample_line
from weir.compare.matching import match
from weir.compare.profile import as_profile_row
from weir.compare.sides import Side, SideRun
from weir.evaluation.curves import curves_of
from weir.evaluation.questions.machine import judge_machine
from weir.hpcc.questions.rings import judge_rings, rings
from weir.hpcc.tables.rings import rings as rings_table
from weir.network.headline import messages
from weir.network.measured import Cpu, distance_of
from weir.network.questions.messages import call_time, judge_bandwidth, judge_time, judge_time_over_ranks
from weir.network.reach import titled
from weir.network.tables.imb import imb
from weir.report.headline_rows import headline_rows
from weir.results.row import Row
from weir.results.summary import summarise
from weir.store.records import LaunchRecord, NodePlace, RankPlace, to_record

STEADY = [1.0] * 8


def ping(nodes: int | None, size: int = 8, times: float = 1.0) -> Row:
    row = network_row("PingPong", size, [times * one for one in STEADY])
    return replace(row, nodes=nodes)


@pytest.mark.parametrize(
    ("nodes", "said"), [(1, "Latency within one node"), (2, "Latency"), (None, "Latency")]
)
def test_the_first_screen_says_where_messages_went(nodes: int | None, said: str) -> None:
    assert said in headline_rows([ping(nodes)])


def test_messages_between_nodes_speak_where_there_are_any() -> None:
    rows = [ping(1, times=0.1), ping(2, times=5.0), ping(1, 1 << 20, 10.0), ping(2, 1 << 20, 900.0)]
    assert {what: row.nodes for what, row in messages(rows).items()} == {"Latency": 2, "Bandwidth": 2}
    assert [*headline_rows(rows)] == ["Latency", "Bandwidth"]


def test_a_panel_is_of_one_node_only_where_all_of_its_rows_are() -> None:
    sizes = [replace(network_row("Allreduce", size, STEADY, ranks=4), nodes=1) for size in (8, 1024)]
    assert titled("Latency", sizes) == "Latency within one node"
    assert titled("Latency", [sizes[0], replace(sizes[1], nodes=2)]) == "Latency"
    assert titled("Latency", []) == "Latency"


def test_a_barrier_says_its_nodes() -> None:
    barrier = network_row("Barrier", 0, STEADY, ranks=4)
    assert [*headline_rows([replace(barrier, nodes=1)])] == ["Barrier, 4 ranks of one node"]
    assert [*headline_rows([replace(barrier, nodes=2)])] == ["Barrier, 4 ranks on 2 nodes"]


@pytest.mark.parametrize(("hosts", "nodes"), [("n1", 1), ("n1 n2", 2), ("", None)])
def test_a_row_has_the_nodes_of_its_launches(hosts: str, nodes: int | None) -> None:
    launch = {"kind": "launch", "launch": 1, "nodes": [{"host": host, "ranks": 2} for host in hosts.split()]}
    case = {"kind": "case", "case": "a", "label": "a", "benchmark": "rings", "ranks": 4, "options": {}}
    line = sample_line("a", "random-ring", benchmark="rings", latency_us=1.0) | {"launch": 1}
    records = [to_record({"schema": 1} | one) for one in (launch, case)] + [to_record(line)]
    (row,) = summarise(records).rows
    assert row.nodes == nodes


def test_what_a_sample_says_of_its_ranks_counts_more_than_the_launch() -> None:
    """Two ranks of one node, in a launch on two; and once across."""
    launch = {"schema": 1, "kind": "launch", "launch": 1, "nodes": [{"host": "n1"}, {"host": "n2"}]}
    case = {"schema": 1, "kind": "case", "case": "a", "label": "a", "benchmark": "network", "ranks": 4}
    lines = [
        sample_line("a", "call", benchmark="network", details={"nodes": nodes}, latency_us=1.0)
        | {"launch": 1}
        for nodes in (2, 1)
    ]
    (row,) = summarise(map(to_record, [launch, case | {"options": {}}, *lines])).rows
    assert row.nodes == 1 and row.within_node


def test_figures_of_calls_say_where_ranks_were() -> None:
    within, across = [ping(1)], [ping(2)]
    assert [one.subject[2] for one in found(judge_time, within).numbers] == ["2 ranks of one node"]
    assert [one.subject[2] for one in found(judge_time, across).numbers] == ["2 ranks on 2 nodes"]
    assert [panel.title for panel in call_time(within, {})] == ["Between two ranks within one node"]
    assert [panel.title for panel in call_time(across, {})] == ["Between two ranks"]


def test_curves_of_one_node_beside_several_are_named_by_that() -> None:
    across = replace(ping(2, times=5.0), placement={"nodes": 2, "ranks_per_node": 1, "spread": True})
    within = replace(ping(1), placement={"nodes": 1, "ranks_per_node": 2})
    subjects = [one.subject for one in found(judge_time, [across, within]).numbers]
    assert subjects == [
        ("PingPong", "8 B", "2 ranks on 2 nodes"),
        ("PingPong within one node", "8 B", "2 ranks of one node"),
    ]
    several = replace(ping(4), placement={"nodes": 4, "ranks_per_node": 2})
    subjects = [one.subject for one in found(judge_time, [across, within, several]).numbers]
    assert {subject[0] for subject in subjects} == {
        "PingPong, 2 nodes, 1 rank per node",
        "PingPong, 1 node, 2 ranks per node",
        "PingPong, 4 nodes, 2 ranks per node",
    }


def test_the_greatest_bandwidth_is_one_between_nodes_where_there_is_any() -> None:
    across, within = ping(2, 1 << 20, 900.0), ping(1, 1 << 20, 10.0)
    for rows in ([within, across], [across, within]):
        assert [one.subject[2] for one in found(judge_bandwidth, rows).answers] == ["2 ranks on 2 nodes"]
        assert [one.subject[2] for one in found(judge_time, rows).answers] == ["2 ranks on 2 nodes"]


def test_growth_from_one_node_to_several_names_both() -> None:
    rows = [
        replace(network_row("Allreduce", 8, [ranks * one for one in STEADY], ranks=ranks), nodes=nodes)
        for ranks, nodes in ((2, 1), (8, 4))
    ]
    (growth,) = found(judge_time_over_ranks, rows).answers
    assert growth.subject[1] == "2 ranks of one node to 8 ranks on 4 nodes"


def test_a_machine_of_one_node_has_no_network_row() -> None:
    rows = [replace(row, nodes=1) for row in [*machine_rows((1, 2, 4), 4), ping(1)]]
    finding = found(judge_machine, rows)
    titles = [one.title for one in finding.answers]
    assert "Within a node" in titles and "Network" not in titles
    saturation = next(one for one in finding.answers if one.title == "Saturation")
    balance = next(one for one in finding.answers if one.title == "Balance")
    names = [name for one in (saturation, balance) for name, _ in one.value.values]
    assert "rings within one node" in names and "network" not in names and "rings" not in names
    assert "rings within one node" in [curve.name for curve in curves_of(rows)]


def test_a_machine_of_several_nodes_has_one() -> None:
    rows = [replace(row, nodes=2) for row in [*machine_rows((2, 4), 4), ping(2)]]
    assert "Network" in [one.title for one in found(judge_machine, rows).answers]
    assert "rings" in [curve.name for curve in curves_of(rows)]


def test_a_machine_of_several_nodes_also_says_what_messages_within_one_take() -> None:
    rows = [replace(row, nodes=2) for row in machine_rows((2, 4), 4)] + [ping(2, times=5.0), ping(1)]
    titles = [one.title for one in found(judge_machine, rows).answers]
    assert titles.index("Network") + 1 == titles.index("Within a node")


def ring_rows(nodes: int, **of_ping_pong: float) -> list[Row]:
    """Ping-pong of pairs within nodes and between them takes 1 us, random rings 3 us."""
    lines: list[dict[str, Any]] = []
    for phase, latency_us, rate in (("ping-pong", 1.0, 8e9), ("random-ring", 3.0, 2e9)):
        more = of_ping_pong if phase == "ping-pong" else {}
        numbers = {"latency_us": latency_us, "bandwidth_bytes_per_s": rate, **more}
        lines += [sample_line("a", phase, benchmark="rings", **numbers) for _ in range(6)]
    return [replace(row, nodes=nodes) for row in rows_of("rings", 4, lines)]


def test_rings_are_held_against_pairs_between_nodes() -> None:
    rows = ring_rows(2, nodes_latency_us=2.5, nodes_bandwidth_bytes_per_s=4e9)
    finding = found(judge_rings, rows)
    (kept,) = finding.answers
    assert kept.subject == ("4 ranks on 2 nodes",) and kept.value.times == pytest.approx(0.5)
    latency = next(one for one in finding.numbers if one.subject[:2] == ("latency", "ping-pong"))
    assert latency.value.median == 2.5
    assert [panel.title for panel in rings(rows, {})] == ["Latency", "Bandwidth per process"]


def test_rings_of_one_node_say_so() -> None:
    rows = ring_rows(1)
    assert found(judge_rings, rows).answers[0].subject == ("4 ranks of one node",)
    titles = [panel.title for panel in rings(rows, {})]
    assert titles == ["Latency within one node", "Bandwidth per process within one node"]


def test_a_number_of_one_node_is_not_compared_with_that_of_two() -> None:
    def side(row: Row) -> Side:
        return Side(Path("run"), (SideRun("", "2026-11-20T08:00:00Z", "0.1.0", {}, (row,), False),))

    (pair,) = match(side(ping(1)), side(ping(2))).pairs
    assert pair.differs == (("1 node", "2 nodes"),)
    (pair,) = match(side(ping(2)), side(ping(2))).pairs
    assert pair.differs == ()
    (pair,) = match(side(ping(None)), side(ping(2))).pairs
    assert pair.differs == ()
    assert as_profile_row(ping(1)).nodes == 1


def launch(*hosts: str) -> LaunchRecord:
    places = [RankPlace(rank, host, "0", 1) for rank, host in enumerate(hosts)]
    return LaunchRecord(nodes=[NodePlace(host) for host in dict.fromkeys(hosts)], placement=places)


@pytest.mark.parametrize(
    ("hosts", "partner", "in_turn", "distance"),
    [
        ("n1 n1 n2 n2", 1, False, "core"),
        ("n1 n1 n2 n2", 1, True, "nodes"),
        ("n1 n1 n2 n2", 2, True, "core"),
        ("n1 n2 n2 n1", 2, True, "core"),
        ("n1 n1", 1, True, "core"),
    ],
)
def test_partners_count_from_node_to_node(hosts: str, partner: int, in_turn: bool, distance: str) -> None:
    assert distance_of(launch(*hosts.split()), partner, Cpu(), in_turn=in_turn) == distance


def test_tables_say_where_ranks_were() -> None:
    within, across = imb([ping(1)]), imb([ping(2)])
    assert within and across
    assert (within.title, across.title) == (
        "As the Intel MPI Benchmarks print it within one node",
        "As the Intel MPI Benchmarks print it",
    )
    assert [one["nodes"] for one in across.data["calls"]] == [2]
    table = rings_table(ring_rows(2))
    assert table and table.columns[1].heading == "4 ranks on 2 nodes"
    assert rings_table(ring_rows(1)).title.endswith("within one node")  # type: ignore[union-attr]
