"""The array library on four nodes of two ranks: windows in memory within a node, messages between nodes.

Dumps at random are compared with what one process writes element by element, and with what NumPy says."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..conftest import ROOT as CHECKOUT
from ..virtual_cluster import ROOT, Cluster, cluster_of

RANDOM_DUMPS = CHECKOUT / "build" / "release" / "bin" / "random_dumps"
LIBRARY = CHECKOUT / "build" / "release" / "lib" / "libweir_array.so.0"
RANDOM_PLANS = CHECKOUT / "tests" / "python" / "array_library" / "random_plans.py"
PLANS = 15
NODES = ("n1", "n2", "n3", "n4")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Four nodes, and what a program in Python needs there."""
    pytest.importorskip("mpi4py", reason="mpi4py is not installed: pip install -e '.[array]'")
    if not LIBRARY.exists():
        pytest.skip(f"{LIBRARY} is not built")
    with cluster_of(tmp_path_factory.mktemp("array") / "state", "4") as found:
        yield found


@pytest.mark.parametrize("shared", ["bind", "moosefs"])
def test_dumps_at_random_are_right_on_several_nodes(tmp_path: Path, shared: str) -> None:
    if not RANDOM_DUMPS.exists():
        pytest.skip(f"{RANDOM_DUMPS} is not built")
    words = ("mpirun", "-x", "TMPDIR=/shared", "-n", "8", "--map-by", "ppr:2:node")
    with cluster_of(tmp_path / "state", "4", "--shared", shared) as found:
        found.on("n1", *ROOT, *words, str(RANDOM_DUMPS), "--cases", "6", "--seed", "7")
        assert found.on("n1", "ls", "/shared") == []


def launched(cluster: Cluster, folder: str, ranks: tuple[str, ...], *words: str) -> list[str]:
    """What a program in Python prints on these ranks, in a folder of the nodes."""
    python = (f"PYTHONPATH={CHECKOUT / 'python'}", f"WEIR_ARRAY_LIBRARY={LIBRARY}")
    exported = tuple(word for name in python for word in ("-x", name))
    return cluster.on("n1", *ROOT, "mpirun", "-wdir", folder, *exported, *ranks, sys.executable, *words)


@pytest.mark.parametrize(
    ("first", "ranks"),
    [
        (1, ("-n", "6", "--map-by", "ppr:2:node")),
        (2, ("-n", "5", "--map-by", "node")),
        (3, ("-n", "7", "--host", "n3:1,n1:2,n4:4")),
    ],
    ids=["in-blocks", "in-turn", "uneven"],
)
def test_plans_at_random_agree_with_numpy_on_several_nodes(
    cluster: Cluster, first: int, ranks: tuple[str, ...]
) -> None:
    cases = (str(10_000 * first), str(10_000 * first + PLANS))
    assert launched(cluster, "/shared", ranks, str(RANDOM_PLANS), *cases)[-1] == f"{PLANS} cases agree"
    assert cluster.on("n1", "ls", "-A", "/shared") == []


DUMP = """
import sys
import numpy as np
import weir_array
from mpi4py import MPI

comm = MPI.COMM_WORLD
blocks = weir_array.block((6, 1000), "f8", grid=(1, comm.size))
told = "written"
with weir_array.Plan(comm, blocks, options=sys.argv[2]) as plan:
    try:
        plan.write(sys.argv[1], blocks.empty(comm))
    except weir_array.Error as error:
        told = f"{error.code.name}: {error}"
for line in set(comm.gather(told) or []):
    print(line)
"""


@pytest.mark.parametrize(
    "options",
    [
        "method=two_phase writers=6",
        "method=independent",
        "method=grouped",
        "method=two_phase writers=3 safe=yes",
    ],
)
def test_a_dump_on_the_disks_of_several_nodes_is_refused(cluster: Cluster, options: str) -> None:
    program = cluster.folder / "dump.py"
    program.write_text(DUMP)
    cluster.on("n1", "sh", "-c", "echo the last good dump >/local/dump")
    ranks = ("-n", "6", "--map-by", "ppr:2:node")
    (said,) = launched(cluster, "/local", ranks, str(program), "dump", options)
    assert said.startswith("IO: dump") and "is not one file for all nodes (n2 does not see" in said
    left = {node: cluster.on(node, "ls", "-A", "/local") for node in NODES}
    assert left == {"n1": ["dump"], "n2": [], "n3": [], "n4": []}
    if "safe=yes" in options:
        assert cluster.on("n1", "cat", "/local/dump") == ["the last good dump"]


def test_a_dump_of_one_rank_may_be_on_its_own_disk(cluster: Cluster) -> None:
    program = cluster.folder / "dump.py"
    program.write_text(DUMP)
    in_turn = ("-n", "3", "--map-by", "node")
    assert launched(cluster, "/local", in_turn, str(program), "alone", "method=gather") == ["written"]
    assert cluster.on("n1", "stat", "-c", "%s", "/local/alone") == ["48000"]
