"""Which algorithms an MPI offers."""

import pytest

from weir.errors import WeirError
from weir.launch.mpirun import Flavour
from weir.network.tune.algorithms import algorithms_of, offered_algorithms, parse_open_mpi

# As ompi_info of Open MPI 4.1.4 prints it.
LINES = """
mca:coll:tuned:param:coll_tuned_allreduce_algorithm_count:value:7
mca:coll:tuned:param:coll_tuned_allreduce_algorithm:enumerator:value:0:ignore
mca:coll:tuned:param:coll_tuned_allreduce_algorithm:enumerator:value:1:basic_linear
mca:coll:tuned:param:coll_tuned_allreduce_algorithm:enumerator:value:4:ring
mca:coll:tuned:param:coll_tuned_allreduce_algorithm_segmentsize:value:0
mca:coll:tuned:param:coll_tuned_alltoall_algorithm:enumerator:value:2:pairwise
mca:coll:tuned:param:coll_tuned_alltoall_algorithm:enumerator:value:5:two_proc
""".splitlines()


def test_algorithms_come_with_what_forces_them() -> None:
    found = algorithms_of(parse_open_mpi(LINES), "Allreduce", 4)
    assert [one.name for one in found] == ["basic_linear", "ring"]
    assert dict(found[1].env) == {
        "OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
        "OMPI_MCA_coll_tuned_allreduce_algorithm": "4",
    }


@pytest.mark.parametrize(("ranks", "names"), [(2, ["pairwise", "two_proc"]), (4, ["pairwise"])])
def test_an_algorithm_for_two_ranks_is_not_tried_on_more(ranks: int, names: list[str]) -> None:
    assert [one.name for one in algorithms_of(parse_open_mpi(LINES), "Alltoall", ranks)] == names


def test_an_mpi_that_does_not_tell_is_refused() -> None:
    with pytest.raises(WeirError, match="which algorithms MPICH offers is not known"):
        offered_algorithms("/usr/bin/mpirun", Flavour.HYDRA)
