"""Studies in jobs of the real Slurm of Debian, on nodes of this machine."""

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import weir

from .conftest import CORE, need_real_programs
from .virtual_cluster import ROOT, Cluster, cluster_of

WEIR = (*ROOT, f"WEIR_CORE={CORE}", f"PYTHONPATH={Path(weir.__file__).parents[1]}", sys.executable)
nightly = pytest.mark.skipif("WEIR_NIGHTLY" not in os.environ, reason="takes minutes: set WEIR_NIGHTLY=1")
STUDY = """
[study]
name = "two-sizes"
budget = "60s"
min_samples = 2
max_samples = 2

[fixed]
benchmark = "storage"
block = "1MiB"
transfer = "256KiB"
write = true

[[comparison]]
name = "nodes"
axes = { nodes = [1, 2], ranks_per_node = [1, 2] }
"""


OF_MESSAGES = """
[study]
name = "messages"
budget = "60s"
min_samples = 2
max_samples = 2

[fixed]
benchmark = "network"
function = "PingPong"
bytes = "8B"
budget = "10ms"
nodes = "up to all"

[[comparison]]
name = "messages"
fixed = { ranks = 2 }

[[comparison]]
name = "messages-within-node"
nodes_from = 2
fixed = { ranks = 2, nodes = 1 }
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    need_real_programs()
    with cluster_of(tmp_path_factory.mktemp("cluster") / "state", "2", "--slurm") as found:
        (found.folder / "shared" / "study.toml").write_text(STUDY)
        yield found


def weir_on(cluster: Cluster, *words: str) -> tuple[int, dict[str, Any], str]:
    """Of a verb on the first node, in the shared folder: exit code, what it printed as JSON, errors."""
    argv = [*WEIR, "-m", "weir.cli.main", *words, "--json"]
    done = cluster.call("on", "n1", "env", "-C", "/shared", *argv)
    return done.returncode, json.loads(done.stdout), done.stderr


def records(run: Path, kind: str) -> list[dict[str, Any]]:
    lines = map(json.loads, (run / "samples.jsonl").read_text().splitlines())
    return [line for line in lines if line["kind"] == kind]


def test_a_study_is_carried_out_by_jobs(cluster: Cluster) -> None:
    run = cluster.folder / "shared" / "run"
    code, said, errors = weir_on(cluster, "submit", "study.toml", "--out", "run", "--jobs", "2")
    assert code == 0, errors
    assert len(said["jobs"]) == 2
    code, said, errors = weir_on(cluster, "status", "run", "--wait")
    assert (code, said["course"], said["cases"], said["settled"]) == (0, "complete", 4, 4), said
    assert [job["exit_code"] for job in said["jobs"]] == [5, 5]  # two samples a case have no interval
    samples = Counter((one["case"], one["phase"]) for one in records(run, "sample"))
    assert set(samples.values()) == {2} and len(samples) == 8
    where = {(len(one["nodes"]), one["nodes"][0]["ranks"]) for one in records(run, "launch")}
    assert where == {(1, 1), (1, 2), (2, 1), (2, 2)}


def test_a_study_of_messages_is_of_the_nodes_of_its_job(cluster: Cluster) -> None:
    """By `mpirun -n 2` alone both ranks would be on the first node."""
    (cluster.folder / "shared" / "messages.toml").write_text(OF_MESSAGES)
    words = ("submit", "messages.toml", "--out", "messages", "--job-nodes", "2")
    code, _, errors = weir_on(cluster, *words)
    assert code == 0, errors
    code, said, errors = weir_on(cluster, "status", "messages", "--wait")
    assert (code, said["course"], said["cases"], said["settled"]) == (0, "complete", 2, 2), said
    run = cluster.folder / "shared" / "messages"
    of_case = {one["case"]: one["comparisons"][0] for one in records(run, "case")}
    where = {(of_case[one["case"]], one["details"]["nodes"]) for one in records(run, "sample")}
    assert where == {("messages", 2), ("messages-within-node", 1)}


def test_what_slurm_refuses_leaves_nothing(cluster: Cluster) -> None:
    before = cluster.on("n1", "squeue", "--noheader", "--states=all")
    wanted = ("submit", "study.toml", "--out", "refused", "--partition", "nowhere", "--jobs", "2")
    code, said, _ = weir_on(cluster, *wanted)
    assert code == 2 and "invalid partition specified: nowhere" in said["error"]["reason"]
    assert cluster.on("n1", "squeue", "--noheader", "--states=all") == before
    assert not (cluster.folder / "shared" / "refused").exists()


@nightly
def test_each_number_of_nodes_has_a_job_of_its_own(cluster: Cluster) -> None:
    code, said, errors = weir_on(cluster, "submit", "study.toml", "--out", "split", "--split")
    assert code == 0 and len(said["jobs"]) == 2, errors
    code, said, _ = weir_on(cluster, "status", "split", "--wait")
    assert (code, said["course"], said["settled"]) == (0, "complete", 4)
    where = [len(one["nodes"]) for one in records(cluster.folder / "shared" / "split", "launch")]
    assert where == sorted(where) and set(where) == {1, 2}


@nightly
def test_a_cancelled_job_is_gone_on_with(cluster: Cluster) -> None:
    code, said, _ = weir_on(cluster, "submit", "study.toml", "--out", "cancelled")
    (number,) = said["jobs"]
    cluster.on("n1", "scancel", number)
    code, said, _ = weir_on(cluster, "status", "cancelled", "--wait")
    assert code == 3 and said["course"] == "stopped"
    weir_on(cluster, "submit", "study.toml", "--out", "cancelled")
    code, said, _ = weir_on(cluster, "status", "cancelled", "--wait")
    assert (code, said["course"], said["settled"]) == (0, "complete", 4)
    samples = Counter(
        (one["case"], one["phase"]) for one in records(cluster.folder / "shared" / "cancelled", "sample")
    )
    assert set(samples.values()) == {2}


def test_a_run_that_the_nodes_do_not_share_is_told(cluster: Cluster) -> None:
    argv = [*WEIR, "-m", "weir.cli.main", "submit", "/shared/study.toml", "--out", "/local/run", "--json"]
    assert cluster.call("on", "n2", *argv).returncode == 0
    status = [*WEIR, "-m", "weir.cli.main", "status", "/local/run", "--wait"]
    done = cluster.call("on", "n2", *status)
    assert done.returncode == 3 and "must be on storage that all nodes share" in done.stdout


@nightly
def test_a_node_that_goes_down_and_a_controller_that_starts_anew_lose_nothing(tmp_path: Path) -> None:
    sizes = (
        "axes = { nodes = [1, 2, 3], ranks_per_node = [1, 2],",
        ' transfer = ["16KiB", "64KiB", "256KiB"] }',
    )
    text = STUDY.replace('transfer = "256KiB"\n', "").replace("_samples = 2", "_samples = 6")
    text = text.replace("axes = { nodes = [1, 2], ranks_per_node = [1, 2] }", "".join(sizes))
    with cluster_of(tmp_path / "state", "4", "--slurm") as four:
        shared = four.folder / "shared"
        (shared / "study.toml").write_text(text)
        weir_on(four, "submit", "study.toml", "--out", "run", "--jobs", "2", "--budget", "4m")
        while not (shared / "run" / "samples.jsonl").exists() or not records(shared / "run", "sample"):
            time.sleep(1)
        os.kill(int((four.folder / "n2" / "pid").read_text()), 9)
        four.on("n1", "sh", "-c", "pkill -9 slurmctld; sleep 2; slurmctld")
        deadline = time.monotonic() + 480
        said: dict[str, Any] = {}
        while said.get("course") != "complete" and time.monotonic() < deadline:
            time.sleep(5)
            _, said, _ = weir_on(four, "status", "run")
        assert said["course"] == "complete" and said["jobs"][0]["begun"] == 2
        assert len(records(shared / "run", "finished")) == 18
        samples = Counter((one["case"], one["phase"]) for one in records(shared / "run", "sample"))
        assert set(samples.values()) == {6} and len(samples) == 36
