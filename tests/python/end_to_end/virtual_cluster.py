"""A cluster on this machine for tests of several nodes, by tests/system/virtual-cluster.sh."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "system" / "virtual-cluster.sh"
CANNOT_RUN = 77
ROOT = ("env", "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
LONGEST_S = 180


class Cluster:
    """Nodes n1, n2 … whose state is in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def call(self, *words: str) -> subprocess.CompletedProcess[str]:
        """The script's own command."""
        environment = {**os.environ, "CLUSTER": str(self.folder)}
        return subprocess.run(
            [str(SCRIPT), *words],
            capture_output=True,
            text=True,
            timeout=LONGEST_S,
            env=environment,
            cwd="/",
            check=False,
        )

    def on(self, node: str, *words: str) -> list[str]:
        """The lines that a command prints on a node."""
        done = self.call("on", node, *words)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()


@contextmanager
def cluster_of(folder: Path, *words: str) -> Iterator[Cluster]:
    """One that is up with these words (`4 --shared moosefs`), and down at the end; a skipped test where this
    machine cannot carry it."""
    found = Cluster(folder)
    began = found.call("up", *words)
    if began.returncode == CANNOT_RUN:
        pytest.skip(began.stderr.strip())
    assert began.returncode == 0, began.stderr
    try:
        yield found
    finally:
        found.call("down")
