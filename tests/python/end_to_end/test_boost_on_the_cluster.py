"""Boosted programs on two nodes: shared windows within each, messages between them."""

from collections.abc import Iterator

import pytest

from .conftest import ROOT as CHECKOUT
from .virtual_cluster import ROOT, Cluster, cluster_of

BUILT = CHECKOUT / "build" / "release"
PROGRAM = BUILT / "bin" / "random_mpi_io"
LIBRARY = BUILT / "lib" / "libweir-boost.so"
HINTS = "romio_cb_write disable\nromio_ds_write disable\n"
"""ROMIO otherwise writes stale bytes into holes."""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    if not PROGRAM.exists() or not LIBRARY.exists():
        pytest.skip(f"{PROGRAM} or {LIBRARY} is not built")
    with cluster_of(tmp_path_factory.mktemp("boost") / "state", "2") as found:
        found.on("n1", "sh", "-c", f"printf '{HINTS}' > /shared/hints; mkdir /shared/files")
        yield found


@pytest.mark.parametrize(
    ("ranks", "first"),
    [(("-n", "4", "--map-by", "ppr:2:node"), 1), (("-n", "3", "--map-by", "node"), 40)],
    ids=["in-blocks", "uneven"],
)
def test_programs_at_random_do_the_same_on_two_nodes(
    cluster: Cluster, ranks: tuple[str, ...], first: int
) -> None:
    def printed(*variables: str) -> list[str]:
        given = ("ROMIO_HINTS=/shared/hints", "OMPI_MCA_mpi_yield_when_idle=1", *variables)
        exported = tuple(word for one in given for word in ("-x", one))
        words = ("mpirun", "--mca", "io", "^ompio", "--bind-to", "none", *exported, *ranks, str(PROGRAM))
        return cluster.on("n1", *ROOT, *words, "/shared/files", str(first), str(first + 20))

    boosted = printed(f"LD_PRELOAD={LIBRARY}", "WEIR_BOOST=always")
    assert boosted == printed()
    assert len(boosted) == 21 * int(ranks[1])
