from pathlib import Path

import pytest

from weir.errors import WeirError
from weir.launch.nodes import (
    Node,
    cores_of,
    cpus_of_job,
    named_nodes,
    nodes_of_file,
    nodes_of_job,
    slots_of_job,
)


def names(text: str) -> list[str]:
    return [node.name for node in named_nodes(text)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a", ["a"]),
        ("a,b-1, c.example.org", ["a", "b-1", "c.example.org"]),
        ("n[01-03,7]", ["n01", "n02", "n03", "n7"]),
        ("n[9-11],login", ["n9", "n10", "n11", "login"]),
        ("r[1-2]n[1-2]-ib", ["r1n1-ib", "r1n2-ib", "r2n1-ib", "r2n2-ib"]),
        ("n[007]", ["n007"]),
    ],
)
def test_lists_of_slurm_and_plain_ones(text: str, told: list[str]) -> None:
    assert names(text) == told


def test_slots_stand_behind_a_colon() -> None:
    assert named_nodes("a:4,n[1-2]:8") == (Node("a", 4), Node("n1", 8), Node("n2", 8))


@pytest.mark.parametrize(
    "text",
    [
        *("", "a,,b", "n[1-3", "n1-3]", "n[[1]]", "n[]", "n[3-1]", "n[a-b]", "-host", "a b", "a:b", "a:0"),
        *("n[1-99999]", "n[1-1000]r[1-1000]", "n[٣]", "a/b", "$(x)", "n[1-2147483648000000000000000000000]"),
    ],
)
def test_what_is_no_list_is_refused(text: str) -> None:
    with pytest.raises(WeirError) as error:
        named_nodes(text)
    assert error.value.exit_code == 2


def test_a_node_named_twice_is_refused() -> None:
    with pytest.raises(WeirError, match="'n2' is named twice"):
        named_nodes("n[1-3],n2")


def test_a_file_of_hosts(tmp_path: Path) -> None:
    file = tmp_path / "hosts"
    file.write_text("# of the job\nn01 slots=4\nn02:8\n\nn03 max_slots=9\nn04\nn04\n")
    assert nodes_of_file(file) == (Node("n01", 4), Node("n02", 8), Node("n03"), Node("n04", 2))


@pytest.mark.parametrize("text", ["", "# none\n", "two words;\n-x\n"])
def test_a_file_without_hosts_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "hosts").write_text(text)
    with pytest.raises(WeirError):
        nodes_of_file(tmp_path / "hosts")


def test_the_nodes_of_a_job(tmp_path: Path) -> None:
    file = tmp_path / "pbs"
    file.write_text("n1\nn1\nn2\nn2\n")
    assert nodes_of_job({}) == ()
    assert nodes_of_job({"SLURM_JOB_NODELIST": "n[1-2]"}) == (Node("n1"), Node("n2"))
    assert nodes_of_job({"PBS_NODEFILE": str(file)}) == (Node("n1", 2), Node("n2", 2))


@pytest.mark.parametrize(
    "variable", ["OMPI_MCA_orte_default_hostfile", "PRTE_MCA_prte_default_hostfile", "HYDRA_HOST_FILE"]
)
def test_without_a_job_those_that_mpirun_is_told(tmp_path: Path, variable: str) -> None:
    file = tmp_path / "hosts"
    file.write_text("n1:2\nn2:2\n")
    assert nodes_of_job({variable: str(file)}) == (Node("n1", 2), Node("n2", 2))
    assert nodes_of_job({variable: str(file), "SLURM_JOB_NODELIST": "n3"}) == (Node("n3"),)


@pytest.mark.parametrize(
    ("cpus", "tasks", "found"),
    [
        ("2(x3),1", "1(x4)", (1, 1)),
        ("16(x2)", "1(x2)", (16, 1)),
        ("16", "", (16, 16)),
        ("", "", (None, None)),
        ("many", "4,,", (None, None)),
    ],
)
def test_what_a_job_has_on_its_nodes(cpus: str, tasks: str, found: tuple[int | None, int | None]) -> None:
    job = {"SLURM_JOB_CPUS_PER_NODE": cpus, "SLURM_TASKS_PER_NODE": tasks, "SLURM_JOB_NODELIST": "n[1-4]"}
    assert (cpus_of_job(job), slots_of_job(job)) == found


def test_a_file_of_hosts_says_it_too(tmp_path: Path) -> None:
    file = tmp_path / "pbs"
    file.write_text("n1\nn1\nn2\nn2\nn2\n")
    assert cpus_of_job({"PBS_NODEFILE": str(file)}) == 2 == slots_of_job({"PBS_NODEFILE": str(file)})
    file.write_text("n1\nn2\nn2\n")
    assert cpus_of_job({"PBS_NODEFILE": str(file)}) is None


def test_ranks_for_all_cores_fit_on_every_node() -> None:
    assert cores_of([Node("a", 8), Node("b", 4)], here=2) == 4
    assert cores_of([Node("a", 8), Node("b")], here=2) == 2
