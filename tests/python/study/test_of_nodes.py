"""What a study says by the nodes of the job."""

from dataclasses import replace
from typing import Any

import pytest

from network_samples import network_row
from rows import found
from weir.core.schema import Benchmark, Option, Schema
from weir.errors import WeirError
from weir.measure.launch_watch import spec_of
from weir.network.questions.messages import judge_time_over_ranks
from weir.results.pairing import setting_key
from weir.study.case import Case
from weir.study.expand import expand
from weir.study.load import Study, find_study, load_study, own_studies, parse_study, render_study
from weir.study.of_cores import settled as settled_for_cores
from weir.study.of_nodes import settled

STUDY = """
[study]
name = "calls"

[fixed]
benchmark = "network"
nodes = "up to all"

[[comparison]]
name = "within"
nodes_from = 2
fixed = { nodes = 1, ranks = 2 }

[[comparison]]
name = "counts"
axes = { ranks = [1, 2, 3, 4, 8] }

[[comparison]]
name = "pairs"
axes = { ranks = ["4 or nodes"] }

[[comparison]]
name = "curve"
axes = { ranks = "2 to cores or nodes" }
"""
SCHEMA = Schema("1", benchmarks=[Benchmark("network", options=[Option("bytes", "bytes", default=0)])])
SPREAD = {"spread": True}


def on(nodes: int, text: str = STUDY) -> Study:
    return settled(parse_study(text, "s.toml"), nodes)


def cases(nodes: int, comparison: str) -> list[Case]:
    study = on(nodes)
    study = replace(study, file=settled_for_cores(study.file, study.source, 2))
    return [case for case in expand(study, SCHEMA).cases if comparison in case.comparisons]


def placements(nodes: int, comparison: str) -> dict[int, dict[str, Any]]:
    return {case.ranks: case.placement for case in cases(nodes, comparison)}


def test_on_one_node_a_study_says_nothing_of_nodes() -> None:
    study = on(1)
    assert "nodes" not in study.file.fixed
    assert [part.name for part in study.comparisons] == ["counts", "pairs", "curve"]
    assert study.comparisons[1].axes == {"ranks": [4]}
    assert study.comparisons[2].axes == {"ranks": "2 to cores"}
    assert placements(1, "counts") == {1: {}, 2: {}, 3: {}, 4: {}, 8: {}}


def test_on_several_nodes_ranks_are_spread_evenly() -> None:
    two = {"nodes": 2} | SPREAD
    assert placements(2, "counts") == {
        1: {},
        2: two | {"ranks_per_node": 1},
        3: {},
        4: two | {"ranks_per_node": 2},
        8: two | {"ranks_per_node": 4},
    }
    assert placements(3, "counts")[8] == two | {"ranks_per_node": 4}
    assert placements(4, "counts")[8] == {"nodes": 4, "ranks_per_node": 2} | SPREAD
    assert placements(2, "within") == {2: {"nodes": 1, "ranks_per_node": 2}}


def test_counts_of_ranks_follow_the_nodes() -> None:
    assert on(6).comparisons[2].axes == {"ranks": [6]}
    assert on(6).comparisons[3].axes == {"ranks": [2, 4, 6]}
    assert placements(6, "pairs") == {6: {"nodes": 6, "ranks_per_node": 1} | SPREAD}


def test_the_settled_study_is_read_again_as_it_is() -> None:
    study = on(4)
    assert study.file.fixed["nodes"] == "up to 4"
    again = settled(parse_study(render_study(study), "again"), 2)
    assert again.file == study.file


def test_cases_are_those_of_jobs_of_other_sizes_where_ranks_lie_alike() -> None:
    assert cases(2, "counts")[1].id == cases(4, "counts")[1].id
    assert cases(2, "counts")[3].id != cases(4, "counts")[3].id


def test_the_launch_asks_for_the_nodes() -> None:
    spec = spec_of(cases(4, "counts")[4])
    assert (spec.ranks, spec.nodes, spec.ranks_per_node) == (8, 4, 2)


def test_such_cases_are_of_no_number_of_nodes() -> None:
    """A job that `weir submit --split` made of a study on a node without a job finds them again."""
    assert {case.nodes for case in cases(4, "counts")} == {0}


def test_lines_of_errors_stay_where_comparisons_are_gone() -> None:
    text = STUDY.replace("axes = { ranks = [1, 2, 3, 4, 8] }", "axes = { ranks = [0] }")
    for nodes in (1, 2):
        with pytest.raises(WeirError, match=r"s\.toml:16: 'ranks' is 0"):
            expand(on(nodes, text), SCHEMA)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ('nodes = "up to 4", ranks_per_node = 1', "stands beside nodes = 'up to 4'"),
        ('nodes = "up to 0"', "'nodes' is 'up to 0'"),
        ('nodes = "all"', "'nodes' is 'all'"),
        ('ranks = "some or nodes"', "'ranks' is 'some'"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_line(settings: str, why: str) -> None:
    text = (
        f'[study]\nname = "s"\n[[comparison]]\nname = "c"\nfixed = {{ benchmark = "network", {settings} }}\n'
    )
    with pytest.raises(WeirError, match=why) as refused:
        expand(on(1, text), SCHEMA)
    assert refused.value.problem.startswith("s.toml:5")


def test_numbers_over_ranks_are_one_curve_however_ranks_are_spread() -> None:
    rows = [
        replace(network_row("Allreduce", 8, [ranks * one for one in [1.0] * 8], ranks=ranks), **place)
        for ranks, place in (
            (2, {"nodes": 2, "placement": {"nodes": 2, "ranks_per_node": 1} | SPREAD}),
            (4, {"nodes": 4, "placement": {"nodes": 4, "ranks_per_node": 1} | SPREAD}),
            (8, {"nodes": 4, "placement": {"nodes": 4, "ranks_per_node": 2} | SPREAD}),
        )
    ]
    assert len({setting_key(row, {"ranks"}) for row in rows}) == 1
    assert len({setting_key(row, set()) for row in rows}) == 3
    (growth,) = found(judge_time_over_ranks, rows).answers
    assert growth.subject == ("Allreduce", "2 ranks on 2 nodes to 8 ranks on 4 nodes")


@pytest.mark.parametrize(
    "name", ["imb", "imb-two-ranks", "hpcc", "network-model", "rings", "guidelines", "links"]
)
def test_studies_of_the_network_are_of_several_nodes_where_there_are_some(name: str) -> None:
    study = load_study(own_studies()[name])
    assert settled(study, 2).file.fixed["nodes"] == "up to 2"
    alone = settled(study, 1)
    assert "nodes" not in alone.file.fixed
    assert not [part.name for part in alone.comparisons if part.name.endswith("within-node")]


def test_an_evaluation_measures_messages_between_nodes_and_within_one() -> None:
    study = settled(load_study(find_study("machine")), 4)
    fixed = {part.name: part.fixed.get("nodes") for part in study.comparisons if part.part == "network"}
    assert fixed == {
        "ping-pong": "up to 4",
        "ping-pong-within-node": 1,
        "rings": "up to 4",
        "calls-over-ranks": "up to 4",
    }
    (rings,) = [part for part in study.comparisons if part.name == "rings"]
    assert rings.axes["ranks"] == [2, 4]
