"""Benchmarks of messages on two virtual nodes: pairs lie across them, and what lies within one is told."""

import json
import statistics
from collections.abc import Iterator
from typing import Any

import pytest

from ..conftest import CORE
from ..virtual_cluster import ROOT, Cluster, cluster_of

TWO_EACH = ("mpirun", "-n", "4", "--map-by", "ppr:2:node")


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster_of(tmp_path_factory.mktemp("nodes") / "state", "2", "--rate", "1gbit") as found:
        yield found


def samples(nodes: Cluster, launch: tuple[str, ...], *words: str) -> dict[str, dict[str, Any]]:
    """The samples of a benchmark, by phase."""
    lines = map(json.loads, nodes.on("n1", *ROOT, *launch, str(CORE), *words))
    return {line["phase"]: line for line in lines if line["kind"] == "sample"}


def value(sample: dict[str, Any], key: str) -> float:
    (found,) = [one["value"] for one in sample["metrics"] if one["key"] == key]
    assert isinstance(found, float)
    return found


@pytest.mark.parametrize(
    ("function", "more", "on_nodes"),
    [
        ("PingPong", [], 2),
        ("PingPong", ["--partner", "2"], 1),
        ("Allreduce", ["--active", "2"], 1),
    ],
)
def test_pairs_lie_across_nodes(nodes: Cluster, function: str, more: list[str], on_nodes: int) -> None:
    words = ("network", "--function", function, "--bytes", "64KiB", "--budget", "0.01s", "--check")
    sample = samples(nodes, TWO_EACH, *words, *more)["call"]
    assert sample["details"]["nodes"] == on_nodes


def test_links_of_ranks_are_those_between_nodes(nodes: Cluster) -> None:
    words = ("links", "--between", "ranks", "--passes", "3", "--bandwidth-bytes", "1MiB")
    bandwidth = samples(nodes, TWO_EACH, *words)["bandwidth"]
    details = bandwidth["details"]
    hosts = [place["host"] for place in details["places"]]
    pairs = zip(details["one"], details["other"], details["time_us"], strict=True)
    between = [time_us for one, other, time_us in pairs if hosts[one] != hosts[other]]
    assert len(between) == 4 and len(details["time_us"]) == 6
    rate = value(bandwidth, "bandwidth_bytes_per_s")
    assert rate == pytest.approx((1 << 20) / (statistics.median(between) * 1e-6), rel=1e-3)
    assert value(bandwidth, "greatest_bandwidth_bytes_per_s") < 250e6, "a link gives 1 Gbit/s, in bursts more"


def test_rings_tell_ping_pong_between_nodes(nodes: Cluster) -> None:
    words = ("rings", "--bandwidth-rings", "2", "--latency-rings", "2", "--bandwidth-bytes", "500KiB")
    found = samples(nodes, TWO_EACH, *words)
    assert {sample["details"]["nodes"] for sample in found.values()} == {2}
    ping_pong = found["ping-pong"]
    assert ping_pong["details"]["pairs_between_nodes"] == 4
    assert value(ping_pong, "nodes_latency_us") > 0
    all_pairs, between = (value(ping_pong, f"{which}bandwidth_bytes_per_s") for which in ("", "nodes_"))
    assert between < all_pairs, "a link is slower than memory"


def test_rings_of_one_node_have_no_such_number(nodes: Cluster) -> None:
    words = ("rings", "--bandwidth-rings", "1", "--latency-rings", "1", "--bandwidth-bytes", "8KiB")
    found = samples(nodes, ("mpirun", "-n", "2", "--host", "n2:2"), *words)
    assert {sample["details"]["nodes"] for sample in found.values()} == {1}
    assert not [one for one in found["ping-pong"]["metrics"] if one["key"].startswith("nodes_")]
