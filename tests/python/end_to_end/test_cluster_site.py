"""A site's configuration and its own launcher on two nodes."""

import json
import sys
from pathlib import Path

import pytest

from .conftest import need_real_programs
from .virtual_cluster import CANNOT_RUN, ROOT, Cluster

SITE = """launcher = "ours"

[directories]
scratch = "/shared/$USER"
runs = "/shared/runs"

[launchers.ours]
command = ["mpirun", "--bind-to", "none", "-n", "{ranks}", ["--npernode", "{ranks_per_node}"], "{program}"]
"""
STUDY = """[study]
name = "placed"
min_samples = 1
max_samples = 1
[fixed]
benchmark = "storage"
block = "64KiB"
transfer = "64KiB"
ranks = 2
ranks_per_node = 1
[[comparison]]
name = "one"
[[comparison]]
name = "bound"
fixed = { binding = "core" }
"""
ON_NODE = """mkdir -p /etc/weir /shared/root
printf '%s' "$1" > /etc/weir/site.toml && chmod 644 /etc/weir/site.toml
printf '%s' "$2" > /tmp/placed.toml
cd /tmp && exec "$3" -m weir.cli.main run /tmp/placed.toml --json --progress plain"""


def test_a_sites_own_launcher_starts_ranks_where_it_is_asked_to(tmp_path: Path) -> None:
    need_real_programs()
    given = (SITE, STUDY, sys.executable)
    cluster = Cluster(tmp_path / "state")
    began = cluster.call("up", "2")
    if began.returncode == CANNOT_RUN:
        pytest.skip(began.stderr.strip())
    try:
        done = cluster.call("on", "n1", *ROOT, "USER=root", "sh", "-c", ON_NODE, "sh", *given)
        assert done.returncode in (0, 5), done.stderr
        run = json.loads(done.stdout)["run"]
        lines = [json.loads(line) for line in cluster.on("n2", "cat", f"{run}/samples.jsonl")]
        left = cluster.on("n1", "ls", "/shared/root")
    finally:
        cluster.call("down")
    (launch,) = [line for line in lines if line["kind"] == "launch"]
    assert [(one["rank"], one["host"]) for one in launch["placement"]] == [(0, "n1"), (1, "n2")]
    assert run.startswith("/shared/runs/placed-") and left == []
    assert "the command of the launcher ours has no {binding} (/etc/weir/site.toml:8)" in done.stderr
