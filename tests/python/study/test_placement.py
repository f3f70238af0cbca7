"""Where a study wants its ranks."""

from typing import Any

import pytest

from weir.core.schema import Benchmark, Option, Schema
from weir.errors import WeirError
from weir.measure.launch_watch import spec_of
from weir.study.case import Case
from weir.study.expand import expand
from weir.study.load import parse_study

THREADS = Option("threads", "count", default=1)
SCHEMA = Schema("1", benchmarks=[Benchmark("plain"), Benchmark("blas", options=[THREADS])])


def cases(settings: str, *, benchmark: str = "plain", of_study: str = "") -> list[Case]:
    comparison = f'name = "c"\nfixed = {{ benchmark = "{benchmark}" }}\naxes = {{ {settings} }}\n'
    text = f'[study]\nname = "s"\n{of_study}\n[[comparison]]\n{comparison}'
    return expand(parse_study(text, "s.toml"), SCHEMA).cases


def case(settings: str, **more: str) -> Case:
    (found,) = cases(settings, **more)
    return found


@pytest.mark.parametrize(
    ("settings", "ranks", "placement"),
    [
        ("ranks = [4]", 4, {}),
        ("nodes = [3]", 3, {"nodes": 3, "ranks_per_node": 1}),
        ("ranks_per_node = [5]", 5, {"nodes": 1, "ranks_per_node": 5}),
        ("nodes = [2], ranks_per_node = [3]", 6, {"nodes": 2, "ranks_per_node": 3}),
        ("ranks = [8], nodes = [2]", 8, {"nodes": 2, "ranks_per_node": 4}),
        ("ranks = [8], ranks_per_node = [2]", 8, {"nodes": 4, "ranks_per_node": 2}),
        ("ranks = [8], nodes = [2], ranks_per_node = [4]", 8, {"nodes": 2, "ranks_per_node": 4}),
        ('ranks = [2], threads = [3], binding = ["none"]', 2, {"threads": 3, "binding": "none"}),
    ],
)
def test_what_is_said_settles_the_rest(settings: str, ranks: int, placement: dict[str, Any]) -> None:
    found = case(settings)
    assert (found.ranks, found.placement) == (ranks, placement)


@pytest.mark.parametrize(
    "settings",
    [
        "ranks = [7], nodes = [2]",
        "ranks = [7], ranks_per_node = [2]",
        "ranks = [2], nodes = [3]",
        "ranks = [2], ranks_per_node = [4]",
        "ranks = [8], nodes = [2], ranks_per_node = [3]",
        "nodes = [0]",
        "nodes = [true]",
        "threads = [-1]",
        'ranks_per_node = ["2"]',
        'binding = ["numa"]',
    ],
)
def test_what_contradicts_itself_is_refused_with_its_line(settings: str) -> None:
    with pytest.raises(WeirError, match=r"s\.toml:7"):
        cases(settings)


def test_a_study_that_is_run_on_each_node_by_itself_asks_for_no_nodes() -> None:
    with pytest.raises(WeirError, match="each node by itself"):
        cases("nodes = [2]", of_study="per_node = true")


def test_cases_on_other_nodes_are_other_cases_and_go_by_them() -> None:
    one, two = cases("ranks = [4], nodes = [1, 2]")
    assert one.id != two.id and (one.label, two.label) == ("ranks 4, 1 node", "ranks 4, 2 nodes")
    assert case("ranks = [4]").id not in (one.id, two.id)


def test_the_launch_asks_for_it() -> None:
    spec = spec_of(case('nodes = [2], ranks_per_node = [3], threads = [4], binding = ["socket"]'))
    assert (spec.ranks, spec.nodes, spec.ranks_per_node, spec.binding) == (6, 2, 3, "socket")
    assert spec.threads == 4 and spec.env == (("OMP_NUM_THREADS", "4"),)


def test_threads_of_a_benchmark_that_has_its_own_take_cores_too() -> None:
    found = case("threads = [4]", benchmark="blas")
    assert found.options["threads"] == 4 and found.placement == {}
    assert spec_of(found).threads == 4 and spec_of(found).env == ()


def test_a_node_needs_cores_for_its_own_ranks_alone() -> None:
    assert case("nodes = [8], ranks_per_node = [2], threads = [3]").cores_per_node == 6
    assert case("ranks = [5]").cores_per_node == 5


def test_it_is_said_in_words() -> None:
    (found,) = cases('nodes = [2], ranks_per_node = [1], threads = [3], binding = ["core"]')
    assert found.label == "2 nodes, 1 rank per node, 3 threads, bound to cores"
    assert cases('binding = ["none"]')[0].label == "unbound"
