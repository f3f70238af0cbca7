"""The cluster for tests of several nodes: they are apart, reach each other, and leave nothing."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .conftest import CORE
from .virtual_cluster import CANNOT_RUN, ROOT, SCRIPT, Cluster, cluster_of


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Two nodes with Slurm."""
    with cluster_of(tmp_path_factory.mktemp("cluster") / "state", "2", "--slurm") as found:
        yield found


def test_ranks_of_mpirun_are_on_both_nodes(cluster: Cluster) -> None:
    said = cluster.on("n1", *ROOT, "mpirun", "-n", "4", "--map-by", "ppr:2:node", "hostname")
    assert sorted(said) == ["n1", "n1", "n2", "n2"]


def test_tasks_of_slurm_are_on_both_nodes(cluster: Cluster) -> None:
    assert sorted(cluster.on("n2", "srun", "-N", "2", "-n", "2", "hostname")) == ["n1", "n2"]


def test_one_folder_is_shared_and_the_rest_is_not(cluster: Cluster) -> None:
    for folder in ("/shared", "/local", "/tmp", "/dev/shm", "/etc"):
        cluster.on("n1", "touch", f"{folder}/seen-{folder.strip('/').replace('/', '-')}")
    seen = {
        folder: any("seen-" in name for name in cluster.on("n2", "ls", folder))
        for folder in ("/shared", "/local", "/tmp", "/dev/shm", "/etc")
    }
    assert seen == {"/shared": True, "/local": False, "/tmp": False, "/dev/shm": False, "/etc": False}
    assert not Path("/etc/seen-etc").exists()


def test_nodes_see_no_processes_and_no_network_of_others(cluster: Cluster) -> None:
    commands = cluster.on("n1", "ps", "-e", "-o", "comm=")
    assert "sshd" in commands and commands.count("slurmd") <= 1
    assert {line.split()[1] for line in cluster.on("n1", "ip", "-o", "link")} <= {"lo:", "eth0@if2:"} | {
        f"eth0@if{number}:" for number in range(100)
    }


def test_ranks_of_two_nodes_make_one_file_of_a_networked_file_system(tmp_path: Path) -> None:
    """A client that was told of no such file says that it exists, where another node was quicker."""
    storage = f"{CORE} storage --dir /shared --block 1MiB --transfer 256KiB --write --check"
    with cluster_of(tmp_path / "state", "2", "--shared", "moosefs") as networked:
        lines = networked.on("n1", *ROOT, "mpirun", "-n", "4", "--map-by", "ppr:2:node", *storage.split())
    assert [json.loads(line)["phase"] for line in lines if '"kind":"sample"' in line] == [
        "write",
        "read",
        "check",
    ]


def test_it_is_gone_after_down(tmp_path: Path) -> None:
    short_lived = Cluster(tmp_path / "state")
    if short_lived.call("up", "1").returncode == CANNOT_RUN:
        pytest.skip("this machine carries no virtual cluster")
    first = int((tmp_path / "state" / "n1" / "pid").read_text())
    assert Path(f"/proc/{first}").exists()
    assert short_lived.call("up", "1").returncode == 2  # there is one already
    assert short_lived.call("down").returncode == 0
    assert not Path(f"/proc/{first}").exists() and not (tmp_path / "state").exists()
    assert str(tmp_path) not in Path("/proc/self/mounts").read_text()
    assert short_lived.call("down").returncode == 2


ADOPTS = """
import ctypes, subprocess, sys
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
for words in (["up", "1"], ["down"]):
    code = subprocess.run([sys.argv[1], *words], timeout=60).returncode
    if code:
        sys.exit(code)
"""


def test_it_is_gone_where_a_process_adopts_what_it_never_asks_for(tmp_path: Path) -> None:
    environment = {**os.environ, "CLUSTER": str(tmp_path / "state")}
    done = subprocess.run([sys.executable, "-c", ADOPTS, str(SCRIPT)], env=environment, cwd="/", check=False)
    if done.returncode == CANNOT_RUN:
        pytest.skip("this machine carries no virtual cluster")
    assert done.returncode == 0 and not (tmp_path / "state").exists()
