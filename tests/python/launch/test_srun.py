"""Steps of a job of Slurm."""

from pathlib import Path

import pytest

from weir.errors import WeirError
from weir.launch.base import LaunchSpec, find_launcher
from weir.launch.srun import Job, Srun, processors_of

PROGRAM = ("weir-core", "case.json")
ALWAYS = ("--kill-on-bad-exit=1", "--input=none")


def srun(processors: int | None = 4, plugin: str | None = "pmix") -> Srun:
    return Srun(Job("srun", processors, plugin))


def test_a_step_is_bound_to_cores_where_there_are_enough() -> None:
    command = srun().command(LaunchSpec(2), PROGRAM)
    assert command.argv == ("srun", "--ntasks", "2", *ALWAYS, "--cpu-bind=cores", "--mpi=pmix", *PROGRAM)
    assert command.env == {}


def test_more_ranks_than_processors_share_them_and_yield() -> None:
    command = srun(2).command(LaunchSpec(4), PROGRAM)
    assert "--overcommit" in command.argv and "--cpu-bind=none" in command.argv
    assert command.env == {"OMPI_MCA_mpi_yield_when_idle": "1"}


def test_of_a_job_of_unknown_size_slurm_itself_refuses_too_many() -> None:
    assert "--overcommit" not in srun(None).command(LaunchSpec(400), PROGRAM).argv


def test_nodes_and_ranks_of_each_are_handed_on() -> None:
    argv = srun(8).command(LaunchSpec(4, nodes=2, ranks_per_node=2, binding="socket"), PROGRAM).argv
    text = " ".join(argv)
    assert "--nodes 2 --ntasks-per-node 2" in text and "--cpu-bind=sockets" in text


def test_variables_go_by_the_environment_whatever_is_in_them() -> None:
    command = srun().command(LaunchSpec(1, env=(("A", "b, c=d"),)), PROGRAM)
    assert command.env == {"A": "b, c=d"} and not any("b, c" in word for word in command.argv)


def test_without_a_plug_in_slurm_s_own_choice_holds() -> None:
    assert not any(
        word.startswith("--mpi") for word in srun(plugin=None).command(LaunchSpec(1), PROGRAM).argv
    )


@pytest.mark.parametrize(
    ("said", "processors"), [("2", 2), ("2(x3)", 6), ("2(x3),1", 7), ("", None), ("two", None)]
)
def test_processors_of_a_job(said: str, processors: int | None) -> None:
    assert processors_of({"SLURM_JOB_CPUS_PER_NODE": said}) == processors


def test_outside_a_job_it_says_how_to_get_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)
    with pytest.raises(WeirError, match="no srun in PATH"):
        find_launcher("srun").prepare()
    (tmp_path / "srun").write_text("#!/bin/sh\n")
    (tmp_path / "srun").chmod(0o755)
    with pytest.raises(WeirError, match="no job of Slurm") as told:
        find_launcher("srun").prepare()
    assert told.value.exit_code == 2


@pytest.mark.parametrize(
    ("listed", "chosen"), [("none pmi2 pmix pmix_v4", "pmix"), ("none pmi2", "pmi2"), ("none", None)]
)
def test_the_best_plug_in_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, listed: str, chosen: str | None
) -> None:
    (tmp_path / "srun").write_text(f"#!/bin/sh\necho 'MPI plugin types are...'\nprintf '\\t%s\\n' {listed}\n")
    (tmp_path / "srun").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    monkeypatch.setenv("SLURM_JOB_CPUS_PER_NODE", "2")
    found = find_launcher("srun")
    argv = found.command(LaunchSpec(1), PROGRAM).argv
    assert [word for word in argv if word.startswith("--mpi=")] == ([f"--mpi={chosen}"] if chosen else [])


def test_a_host_of_the_job() -> None:
    argv = srun().command(LaunchSpec(2, host="n3"), PROGRAM).argv
    assert argv[argv.index("--nodelist") + 1] == "n3" and argv[argv.index("--nodes") + 1] == "1"


def test_threads_have_processors_of_their_own() -> None:
    assert "--cpus-per-task 3" in " ".join(srun(8).command(LaunchSpec(2, threads=3), PROGRAM).argv)
    assert "--overcommit" in srun(4).command(LaunchSpec(2, threads=3), PROGRAM).argv


def test_a_job_of_fewer_nodes_lacks_them() -> None:
    launcher = Srun(Job("srun", 8, None, nodes=2))
    assert launcher.lacks(LaunchSpec(4, nodes=2)) is None
    assert launcher.lacks(LaunchSpec(4, nodes=4)) == "it takes 4 nodes, and the job has 2"
    assert srun().lacks(LaunchSpec(400, nodes=400)) is None  # Slurm itself refuses what nobody counted


def test_the_users_own_word_on_waiting_ranks_holds() -> None:
    own = (("OMPI_MCA_mpi_yield_when_idle", "0"),)
    assert srun(2).command(LaunchSpec(4, env=own), PROGRAM).env == dict(own)
