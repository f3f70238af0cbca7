"""Launchers of batch systems: their command lines, as their documents have them, and what they have no words
for."""

from pathlib import Path

import pytest

from weir.errors import WeirError
from weir.launch.aprun import Aprun
from weir.launch.base import Launcher, LaunchSpec, find_launcher
from weir.launch.flux import Flux, Instance
from weir.launch.in_job import most_per_node, nodes_asked
from weir.launch.jsrun import Jsrun
from weir.launch.pbs import Pbs
from weir.launch.srun import Srun

PROGRAM = ("weir-core", "case.json")
LAUNCHERS: dict[str, Launcher] = {
    "flux": Flux(Instance("flux", 4)),
    "jsrun": Jsrun("jsrun"),
    "aprun": Aprun("aprun"),
    "pals": Pbs("mpiexec"),
}
PLAIN = LaunchSpec(4)
PLACED = LaunchSpec(8, nodes=2, ranks_per_node=4, threads=2)
FREE = LaunchSpec(6, ranks_per_node=3, binding="none", env=(("A", "b, c=d"),))


@pytest.mark.parametrize(
    ("name", "spec", "words"),
    [
        ("flux", PLAIN, "flux run --ntasks=4 -o cpu-affinity=per-task -o exit-on-error"),
        (
            "flux",
            PLACED,
            "flux run --ntasks=8 --nodes=2 --cores-per-task=2 -o cpu-affinity=per-task -o exit-on-error",
        ),
        ("flux", FREE, "flux run --ntasks=6 --nodes=2 -o cpu-affinity=off -o exit-on-error"),
        (
            "flux",
            LaunchSpec(2, host="n3"),
            "flux run --ntasks=2 --nodes=1 --requires=host:n3 -o cpu-affinity=per-task -o exit-on-error",
        ),
        ("jsrun", PLAIN, "jsrun --nrs 4 --tasks_per_rs 1 --cpu_per_rs 1 --bind packed:1 -X 1"),
        (
            "jsrun",
            PLACED,
            "jsrun --nrs 8 --tasks_per_rs 1 --cpu_per_rs 2 --rs_per_host 4 --bind packed:2 -X 1",
        ),
        (
            "jsrun",
            FREE,
            "jsrun --nrs 6 --tasks_per_rs 1 --cpu_per_rs 1 --rs_per_host 3 --bind none -X 1 -E A=b,_c=d",
        ),
        ("aprun", PLAIN, "aprun -q -n 4 -cc cpu"),
        ("aprun", PLACED, "aprun -q -n 8 -N 4 -d 2 -cc cpu"),
        ("aprun", FREE, "aprun -q -n 6 -N 3 -cc none -e A=b,_c=d"),
        ("aprun", LaunchSpec(2, host="12", binding="socket"), "aprun -q -n 2 -N 2 -L 12 -cc numa_node"),
        (
            "aprun",
            LaunchSpec(5, nodes=2),
            "aprun -q -n 5 -N 3 -cc cpu",
        ),  # with 2 on each, it would take 3 nodes
        ("pals", PLAIN, "mpiexec -n 4 --cpu-bind core"),
        ("pals", LaunchSpec(5, nodes=2), "mpiexec -n 5 --ppn 3 --cpu-bind core"),
        ("pals", PLACED, "mpiexec -n 8 --ppn 4 --depth 2 --cpu-bind core"),
        ("pals", FREE, "mpiexec -n 6 --ppn 3 --cpu-bind none --env A=b,_c=d"),
        (
            "pals",
            LaunchSpec(2, host="n3", binding="socket"),
            "mpiexec -n 2 --ppn 2 --hosts n3 --cpu-bind socket",
        ),
    ],
)
def test_command(name: str, spec: LaunchSpec, words: str) -> None:
    command = LAUNCHERS[name].command(spec, PROGRAM)
    assert command.argv == (*(word.replace("_c", " c") for word in words.split()), *PROGRAM)
    by_environment = dict(spec.env) if name == "flux" else {}
    assert command.env == by_environment
    assert LAUNCHERS[name].lacks(spec) is None
    assert LAUNCHERS[name].binding(spec) == (spec.binding or "core")


@pytest.mark.parametrize(
    ("name", "spec", "why"),
    [
        ("flux", LaunchSpec(2, binding="socket"), "to cores or not at all"),
        ("flux", LaunchSpec(8, nodes=8), "has 4"),
        ("flux", LaunchSpec(5, ranks_per_node=4), "evenly"),
        ("jsrun", LaunchSpec(2, binding="socket"), "to cores or not at all"),
        ("jsrun", LaunchSpec(2, host="n3"), "chooses the node"),
        ("jsrun", LaunchSpec(5, nodes=2), "do not divide 5"),
        ("jsrun", LaunchSpec(5, ranks_per_node=4), "evenly"),
    ],
)
def test_what_a_launcher_has_no_words_for(name: str, spec: LaunchSpec, why: str) -> None:
    assert why in (LAUNCHERS[name].lacks(spec) or "")


def program(folder: Path, name: str, text: str = "") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


IN_JOB = [("jsrun", "LSB_JOBID", "bsub"), ("aprun", "PBS_JOBID", "qsub"), ("pbs", "PBS_JOBID", "qsub")]


@pytest.fixture
def bin_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The one folder of PATH, outside of any job."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    for _, variable, _ in IN_JOB:
        monkeypatch.delenv(variable, raising=False)
    return tmp_path / "bin"


@pytest.mark.parametrize(("name", "variable", "start"), IN_JOB)
def test_outside_a_job_it_says_how_to_get_one(
    bin_folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, variable: str, start: str
) -> None:
    if name != "pbs":
        with pytest.raises(WeirError, match=f"no {name} in PATH"):
            find_launcher(name).prepare()
        program(bin_folder, name)
    with pytest.raises(WeirError, match=f"{variable} is not set") as told:
        find_launcher(name).prepare()
    assert start in told.value.suggestion and told.value.exit_code == 2
    monkeypatch.setenv(variable, "7")
    if name == "pbs":
        with pytest.raises(WeirError, match="no mpirun in PATH"):
            find_launcher(name).prepare()
    else:
        find_launcher(name).prepare()


def test_flux_says_that_there_is_no_instance(bin_folder: Path) -> None:
    with pytest.raises(WeirError, match="no flux in PATH"):
        find_launcher("flux").prepare()
    program(bin_folder, "flux", "echo 'flux-getattr: ERROR: no broker' >&2; exit 1")
    with pytest.raises(WeirError, match=r"no broker.*flux alloc"):
        find_launcher("flux").prepare()
    program(bin_folder, "flux", '[ "$*" = "getattr size" ] && echo 3')
    assert find_launcher("flux").lacks(LaunchSpec(4, nodes=3)) is None
    assert find_launcher("flux").lacks(LaunchSpec(4, nodes=4)) is not None


def test_in_a_job_of_pbs_pals_is_taken_where_it_is(
    bin_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBS_JOBID", "7.server")
    monkeypatch.delenv("PBS_NODEFILE", raising=False)
    program(bin_folder, "mpirun", "echo 'mpirun (Open MPI) 4.1.4'")
    program(bin_folder, "mpiexec", "echo 'mpirun (Open MPI) 4.1.4'")
    argv = find_launcher("pbs").command(PLAIN, PROGRAM).argv
    assert argv[0].endswith("/mpirun") and "--cpu-bind" not in argv
    (bin_folder / "mpiexec").unlink()
    (bin_folder / "mpiexec").symlink_to(program(tmp_path / "opt" / "pals" / "1.4" / "bin", "mpiexec"))
    argv = find_launcher("pbs").command(PLAIN, PROGRAM).argv
    assert argv[0].endswith("/mpiexec") and "--cpu-bind" in argv


def test_which_mpi_io_there_is_cannot_be_told_without_mpirun(bin_folder: Path) -> None:
    assert "no mpirun" in (Jsrun("jsrun").lacks(LaunchSpec(2, mpi_io="romio")) or "")
    program(bin_folder, "mpirun", "echo 'HYDRA build details'")
    assert Jsrun("jsrun").lacks(LaunchSpec(2, mpi_io="romio")) is None
    assert "ROMIO" in (Jsrun("jsrun").lacks(LaunchSpec(2, mpi_io="ompio")) or "")
    with pytest.raises(WeirError, match="no implementation"):
        Jsrun("jsrun").lacks(LaunchSpec(2, mpi_io="rom"))


@pytest.mark.parametrize(
    ("kind", "variable"), [(Srun, "SLURM_JOB_ID"), (Jsrun, "LSB_JOBID"), (Aprun, "PBS_JOBID")]
)
def test_a_plan_in_a_job_needs_the_launcher(
    kind: type[Launcher], variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(variable, raising=False)
    assert kind().foresee()
    monkeypatch.setenv(variable, "7")
    with pytest.raises(WeirError, match="in PATH"):
        kind().foresee()


@pytest.mark.parametrize(
    ("spec", "nodes", "per_node"),
    [
        (LaunchSpec(5), None, None),
        (LaunchSpec(5, ranks_per_node=2), 3, 2),
        (LaunchSpec(4, ranks_per_node=2), 2, 2),
        (LaunchSpec(5, nodes=2), 2, 3),
        (LaunchSpec(5, host="n1"), 1, 5),
    ],
)
def test_a_rank_left_over_has_a_node_of_its_own(
    spec: LaunchSpec, nodes: int | None, per_node: int | None
) -> None:
    assert (nodes_asked(spec), most_per_node(spec)) == (nodes, per_node)
