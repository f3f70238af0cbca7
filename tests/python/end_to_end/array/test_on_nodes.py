"""The array library on four nodes of two ranks: windows in memory within a node, messages between nodes.

Dumps at random are compared with what one process writes element by element."""

from pathlib import Path

import pytest

from ..conftest import ROOT as CHECKOUT
from ..virtual_cluster import ROOT, cluster_of

RANDOM_DUMPS = CHECKOUT / "build" / "release" / "bin" / "random_dumps"


@pytest.mark.parametrize("shared", ["bind", "moosefs"])
def test_dumps_at_random_are_right_on_several_nodes(tmp_path: Path, shared: str) -> None:
    if not RANDOM_DUMPS.exists():
        pytest.skip(f"{RANDOM_DUMPS} is not built")
    words = ("mpirun", "-x", "TMPDIR=/shared", "-n", "8", "--map-by", "ppr:2:node")
    with cluster_of(tmp_path / "state", "4", "--shared", shared) as cluster:
        cluster.on("n1", *ROOT, *words, str(RANDOM_DUMPS), "--cases", "6", "--seed", "7")
        assert cluster.on("n1", "ls", "/shared") == []
