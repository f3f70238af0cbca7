"""The benchmarks of storage on several nodes: directories that are not shared, disks that
fail, clocks that are apart, and readers on other nodes."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from ..conftest import CORE
from ..virtual_cluster import ROOT, Cluster, cluster_of

NODES = ("n1", "n2", "n3")
TWO_A_NODE = ("-n", "6", "--map-by", "ppr:2:node")
KIB = 1024
SMALL = {"block": 256 * KIB, "transfer": 64 * KIB}
PER_RANK = {**SMALL, "layout": "file-per-process"}
CANNOT_RUN = 3
WHERE = "echo $OMPI_COMM_WORLD_RANK $(hostname)"
ONE_DIRECTORY = "'/local' is not one directory for all nodes"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Three nodes."""
    if not CORE.exists():
        pytest.skip(f"{CORE} is not built")
    with cluster_of(tmp_path_factory.mktemp("cluster") / "state", "3") as found:
        yield found


class Ended:
    """What a launch of weir-core said: its lines by kind, what it told people, and how it ended."""

    def __init__(self, done: subprocess.CompletedProcess[str]) -> None:
        self.lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        self.launch = next(line for line in self.lines if line["kind"] == "launch")
        self.code = next(line["exit_code"] for line in self.lines if line["kind"] == "end")
        self.said = done.stderr

    def of(self, case: str, kind: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if (line["kind"], line.get("case")) == (kind, case)]


def launched(
    cluster: Cluster,
    cases: dict[str, tuple[str, dict[str, Any]]],
    ranks: tuple[str, ...] = TWO_A_NODE,
    core: str = str(CORE),
) -> Ended:
    """One launch of cases by their names: the benchmark of each, and its options."""
    asked = [{"id": name, "benchmark": what, "options": options} for name, (what, options) in cases.items()]
    file = cluster.folder / "cases.json"
    file.write_text(json.dumps({"schema": 1, "warm_memory_bytes": 0, "probe_state": False, "cases": asked}))
    return Ended(cluster.call("on", "n1", *ROOT, "mpirun", *ranks, core, str(file)))


def left_in(cluster: Cluster, folder: str) -> list[str]:
    """What Weir has left there, on all nodes."""
    return [name for node in NODES for name in cluster.on(node, "ls", "-A", folder) if "weir" in name]


@pytest.fixture(scope="module")
def ended(cluster: Cluster) -> Iterator[Ended]:
    """Cases on directories that are shared and that are not, with a disk of one node that is almost full."""
    small = "/local/small"
    for node in NODES:
        cluster.on(node, "mkdir", small)
    cluster.on("n2", "mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small)
    full = {**PER_RANK, "block": 1024 * KIB, "read": False, "dir": small}
    cases = {
        "one-file": ("storage", {**SMALL, "dir": "/local"}),
        "common-file": ("metadata", {"files": 3, "layout": "common-file", "dir": "/local"}),
        "own-disks": ("storage", {**PER_RANK, "check": True, "dir": "/local"}),
        "shared": ("storage", {**PER_RANK, "check": True, "dir": "/shared"}),
        "elsewhere": ("storage", {**SMALL, "check": True, "reorder": "node", "dir": "/shared"}),
        "full-before": ("storage", full),
        "full-meanwhile": ("storage", {**full, "check_space": False}),
    }
    yield launched(cluster, cases)
    cluster.on("n2", "umount", small)
    for node in NODES:
        cluster.on(node, "rmdir", small)


@pytest.mark.parametrize("case", ["one-file", "common-file"])
def test_a_directory_that_nodes_do_not_share_is_refused(ended: Ended, case: str) -> None:
    (failure,) = ended.of(case, "failure")
    assert failure["problem"] == ONE_DIRECTORY
    assert failure["reason"] == "n2 does not see what n1 makes there; 2 nodes in all miss what others made"
    assert (failure["exit_code"], failure["rank"], failure["host"]) == (CANNOT_RUN, 2, "n2")
    assert ended.said.count(f"error: rank 2 on n2: {ONE_DIRECTORY}") == 2
    assert ended.of(case, "sample") == [] and ended.code == CANNOT_RUN


def test_each_node_may_write_to_its_own_disk_and_that_is_told(ended: Ended) -> None:
    own, shared = ended.of("own-disks", "sample"), ended.of("shared", "sample")
    assert [[warning["code"] for warning in sample["warnings"]] for sample in own] == [["own-disks"]] * 3
    assert [sample["warnings"] for sample in shared] == [[], [], []]


def test_a_full_disk_of_one_node_is_one_message(ended: Ended) -> None:
    (refused,), (failure,) = ended.of("full-before", "failure"), ended.of("full-meanwhile", "failure")
    assert (refused["problem"], refused["host"]) == ("not enough space in '/local/small'", "n2")
    assert (failure["reason"], failure["host"]) == ("No space left on device", "n2")
    assert ended.said.count("No space left") == 1


def test_nothing_is_left_on_any_node(cluster: Cluster, ended: Ended) -> None:
    assert ended.code == CANNOT_RUN
    assert left_in(cluster, "/shared") == left_in(cluster, "/local/small") == left_in(cluster, "/local") == []


def test_a_directory_of_the_first_node_alone_is_not_shared(cluster: Cluster) -> None:
    """As `weir run` makes one there; where each rank has files of its own, other nodes make theirs."""
    for node in NODES:
        cluster.on(node, "mkdir", "/local/apart")
    cluster.on("n1", "mkdir", "/local/apart/mine")
    own = {**PER_RANK, "check": True, "dir": "/local/apart/mine"}
    cases = {
        "one-file": ("storage", {**SMALL, "dir": "/local/apart/mine"}),
        "common-file": ("metadata", {"files": 3, "layout": "common-file", "dir": "/local/apart/mine"}),
        "own-disks": ("storage", own),
        "own-files": ("metadata", {"files": 3, "dir": "/local/apart/mine"}),
    }
    found = launched(cluster, cases)
    for case in ("one-file", "common-file"):
        (failure,) = found.of(case, "failure")
        assert failure["problem"] == "'/local/apart/mine' is not one directory for all nodes"
        assert failure["reason"].startswith("n2 does not see what n1 makes there")
        assert (failure["exit_code"], failure["host"]) == (CANNOT_RUN, "n2")
    for case in ("own-disks", "own-files"):
        warned = [[warning["code"] for warning in one["warnings"]] for one in found.of(case, "sample")]
        assert warned and all(codes == ["own-disks"] for codes in warned)
    assert found.code == CANNOT_RUN
    assert [cluster.on(node, "ls", "-A", "/local/apart") for node in NODES] == [["mine"], [], []]
    for node in NODES:
        cluster.on(node, "rm", "-r", "/local/apart")


def methods(ended: Ended, case: str) -> list[Any]:
    return [sample["cache"] and sample["cache"]["methods"] for sample in ended.of(case, "sample")]


def test_readers_are_on_the_next_node(ended: Ended) -> None:
    assert methods(ended, "elsewhere") == [None, ["reorder"], ["reorder"]]


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        (("-n", "6", "--map-by", "node"), "reorder"),
        (("-n", "4", "--host", "n1:2,n2:1,n3:1"), "reorder"),
        (("-n", "4", "--host", "n1:3,n2:1"), "reorder-within-node"),  # one of three has to stay at home
    ],
    ids=["in-turn", "uneven", "most-on-one"],
)
def test_readers_are_on_other_nodes_however_ranks_are_placed(
    cluster: Cluster, ranks: tuple[str, ...], expected: str
) -> None:
    options = {**SMALL, "check": True, "read": False, "reorder": "node", "dir": "/shared"}
    assert methods(launched(cluster, {"a": ("storage", options)}, ranks), "a") == [None, [expected]]


def drawn(draw: Random) -> dict[str, Any]:
    transfer = draw.choice([8, 24, 1000, 4104, 7 * KIB, 64 * KIB])
    return {
        "backend": draw.choice(["posix", "mpiio", "twophase", "uring"]),
        "transfer": transfer,
        "block": transfer * draw.choice([1, 2, 3, 7]),
        "segments": draw.choice([1, 2, 5]),
        "offsets": draw.choice(["sequential", "strided"]),
        "reorder": draw.choice(["none", "node", "random"]),
        "sync": draw.choice(["close", "never"]),
        "check": True,
        "detail": "requests",
        "latencies": "all",
        "dir": "/shared",
    }


def places(options: dict[str, Any], rank: int, ranks: int) -> list[int]:
    """The offsets of a rank's requests, as the documents have them."""
    block, transfer, own = (
        options["block"],
        options["transfer"],
        range(options["block"] // options["transfer"]),
    )
    if options["offsets"] == "strided":
        within = [(turn * ranks + rank) * transfer for turn in own]
    else:
        within = [rank * block + turn * transfer for turn in own]
    return [segment * ranks * block + one for segment in range(options["segments"]) for one in within]


@pytest.mark.parametrize(
    ("seed", "ranks"),
    [(1, ("-n", "5", "--map-by", "node")), (2, TWO_A_NODE), (3, ("-n", "4", "--host", "n3:1,n1:3"))],
)
def test_requests_at_random_are_where_the_documents_have_them(
    cluster: Cluster, seed: int, ranks: tuple[str, ...]
) -> None:
    hosts = dict(
        line.split() for line in cluster.on("n1", *ROOT, "mpirun", *ranks, "sh", "-c", WHERE) if line
    )
    draw = Random(seed)
    cases = {f"case-{number}": ("storage", drawn(draw)) for number in range(8)}
    found = launched(cluster, cases, ranks)
    assert {str(one["rank"]): one["host"] for one in found.launch["placement"]} == hosts
    for case, (_, options) in cases.items():
        asked = {(line["phase"], line["rank"]): line["offset"] for line in found.of(case, "requests")}
        writers = {}
        for rank in range(len(hosts)):
            assert asked["write", rank] == places(options, rank, len(hosts)), options
            writers |= dict.fromkeys(asked["write", rank], rank)
        read = [(place, rank) for rank in range(len(hosts)) for place in asked["read", rank]]
        assert sorted(place for place, _ in read) == sorted(writers), options
        if options["reorder"] != "none":
            assert all(writers[place] != rank for place, rank in read), options
        away = all(hosts[str(writers[place])] != hosts[str(rank)] for place, rank in read)
        assert methods(found, case)[1] == ["reorder"] * away + (
            ["reorder-within-node"] if options["reorder"] != "none" and not away else []
        ), options
        assert [one["verification"]["wrong"] for one in found.of(case, "sample")[2:]] == [0]


def test_a_directory_that_vanishes_on_one_node_ends_the_run(cluster: Cluster) -> None:
    """Somebody waits for the run's directory on n2, and takes it away."""
    taken = "for turn in $(seq 3000); do ! rm -r /local/weir-storage-* || exit; sleep 0.01; done 2>/dev/null"
    node = (cluster.folder / "n2" / "pid").read_text().strip()
    cases = {"a": ("storage", {**PER_RANK, "repetitions": 100_000, "dir": "/local"})}
    with subprocess.Popen(["nsenter", "-t", node, "-m", "-r", "-w", "sh", "-c", taken]):
        found = launched(cluster, cases)
    (failure,) = found.of("a", "failure")
    assert (failure["host"], failure["reason"]) == ("n2", "No such file or directory")
    assert found.code == CANNOT_RUN and left_in(cluster, "/local") == []


SHIFTED = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec* time) {
    int (*real)(clockid_t, struct timespec*) = dlsym(RTLD_NEXT, "clock_gettime");
    const int status = real(clock, time);
    if (clock == CLOCK_REALTIME) time->tv_sec += 300;
    if (clock == CLOCK_MONOTONIC) time->tv_sec += 7000;
    return status;
}
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_a_node_whose_clocks_are_apart_spoils_no_number(cluster: Cluster) -> None:
    folder = cluster.folder / "clocks"
    folder.mkdir()
    (folder / "shifted.c").write_text(SHIFTED)
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-o", folder / "shifted.so", folder / "shifted.c", "-ldl"],
        check=True,
        timeout=60,
    )
    core = folder / "core"
    core.write_text(
        f'#!/bin/sh\n[ "$(hostname)" != n2 ] || export LD_PRELOAD={folder}/shifted.so\nexec {CORE} "$@"\n'
    )
    core.chmod(0o755)
    cases = {"a": ("storage", {**SMALL, "detail": "ranks", "dir": "/shared"})}
    found = launched(cluster, cases, core=str(core))
    assert found.code == 0
    ahead = {node["host"]: node["clock_ahead_s"] for node in found.launch["nodes"]}
    assert ahead["n1"] == 0 and abs(ahead["n2"] - 300) < 1 and abs(ahead["n3"]) < 1
    (warning,) = (one for one in found.launch["warnings"] if one["code"] == "clocks")
    assert warning["problem"].startswith("the time of day on n2 is 300 s ahead")
    for sample in found.of("a", "sample"):
        longest = max(rank["end_s"] for rank in sample["by_rank"])
        assert 0 < sample["elapsed_s"] < 30 and min(rank["start_s"] for rank in sample["by_rank"]) >= 0
        assert longest == pytest.approx(sample["elapsed_s"], rel=1e-6)
