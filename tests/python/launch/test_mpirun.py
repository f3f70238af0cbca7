from pathlib import Path

import pytest

from weir.errors import WeirError
from weir.launch.base import LaunchSpec, find_launcher, launchers, usable_cores
from weir.launch.mpirun import Facts, Flavour, Mpirun, flavour_of, of_component, open_mpi_components

PROGRAM = ("weir-core", "case.json")


def open_mpi(cores: int = 4, is_root: bool = False, io: tuple[str, ...] = ("romio321", "ompio")) -> Mpirun:
    return Mpirun(Facts("mpirun", Flavour.OPEN_MPI, cores, is_root, io))


def hydra(cores: int = 4) -> Mpirun:
    return Mpirun(Facts("mpirun", Flavour.HYDRA, cores, False))


def test_open_mpi_binds_to_cores_where_there_are_enough() -> None:
    command = open_mpi().command(LaunchSpec(2), PROGRAM)
    assert command.argv == ("mpirun", "-n", "2", "--bind-to", "core", *PROGRAM)
    assert command.env == {}


def test_more_ranks_than_cores_share_them_and_yield() -> None:
    argv = open_mpi(cores=2).command(LaunchSpec(4), PROGRAM).argv
    assert argv == (
        *("mpirun", "-n", "4", "--bind-to", "none", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1"),
        *PROGRAM,
    )


def test_more_ranks_than_cores_rest_while_they_wait_under_mpich_unless_the_study_says_otherwise() -> None:
    throttle, looks = "MPIR_CVAR_CH4_PROGRESS_THROTTLE", "MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT"
    argv = hydra(cores=2).command(LaunchSpec(4), PROGRAM).argv
    own = ("-genv", throttle, "1", "-genv", looks, "256")
    assert argv == ("mpirun", "-n", "4", "-bind-to", "none", *own, *PROGRAM)
    argv = hydra(cores=2).command(LaunchSpec(4, env=((throttle, "0"),)), PROGRAM).argv
    assert argv[argv.index(throttle) + 1] == "0" and argv.count(throttle) == 1


def test_root_says_that_it_means_it() -> None:
    env = open_mpi(is_root=True).command(LaunchSpec(1), PROGRAM).env
    assert env == {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def test_the_environment_is_handed_on_and_open_mpis_own_set_directly() -> None:
    command = open_mpi().command(LaunchSpec(1, env=(("A", "b c"), ("OMPI_MCA_io", "ompio"))), PROGRAM)
    assert "-x" in command.argv and "A=b c" in command.argv
    assert not any("OMPI_MCA_io" in word for word in command.argv)
    assert command.env == {"OMPI_MCA_io": "ompio"}


@pytest.mark.parametrize(
    ("components", "name", "told"),
    [
        (("romio321", "ompio"), "romio", "romio321"),
        (("ompio", "romio341"), "romio", "romio341"),
        ((), "romio", "^ompio"),
        ((), "ompio", "ompio"),
    ],
)
def test_an_implementation_of_mpi_io_becomes_a_component_of_open_mpi(
    components: tuple[str, ...], name: str, told: str
) -> None:
    spec = LaunchSpec(1, mpi_io=name)
    assert open_mpi(io=components).command(spec, PROGRAM).env == {"OMPI_MCA_io": told}
    assert open_mpi(io=components).lacks(spec) is None


def test_what_an_mpi_lacks_is_said_and_what_none_has_is_refused() -> None:
    lacked = open_mpi(io=("ompio",)).lacks(LaunchSpec(1, mpi_io="romio"))
    assert lacked == "this Open MPI was built without ROMIO"
    assert hydra().lacks(LaunchSpec(1, mpi_io="ompio")) == "MPICH's MPI-IO is ROMIO"
    assert hydra().lacks(LaunchSpec(1, mpi_io="romio")) is None
    assert hydra().command(LaunchSpec(1, mpi_io="romio"), ()).env == {}
    with pytest.raises(WeirError, match=r"no implementation 'ompo' of MPI-IO .*Did you mean 'ompio'"):
        hydra().lacks(LaunchSpec(1, mpi_io="ompo"))


@pytest.mark.parametrize(
    ("component", "implementation"),
    [("romio321", "romio"), ("ompio", "ompio"), ("^ompio", "romio"), ("^romio321", None), (None, None)],
)
def test_the_implementation_behind_a_component(component: str | None, implementation: str | None) -> None:
    assert of_component(component) == implementation


def test_open_mpi_is_asked_for_its_components(tmp_path: Path) -> None:
    program = tmp_path / "ompi_info"
    program.write_text(
        "#!/bin/sh\nprintf 'mca:iof:tool:version:x\\nmca:io:romio321:version:y\\nmca:io:ompio:version:z'"
    )
    program.chmod(0o755)
    assert open_mpi_components(str(tmp_path / "mpirun")) == ("romio321", "ompio")
    program.write_text("#!/nowhere\n")
    assert open_mpi_components(str(tmp_path / "mpirun")) == ()


def test_ranks_a_node_and_binding_are_as_asked() -> None:
    spec = LaunchSpec(4, ranks_per_node=2, binding="socket", env=(("A", "b"),))
    assert open_mpi().command(spec, ()).argv == (
        *("mpirun", "-n", "4", "--bind-to", "socket", "--map-by", "ppr:2:node", "-x", "A=b"),
    )
    assert hydra().command(spec, ()).argv == (
        *("mpirun", "-n", "4", "-bind-to", "socket", "-ppn", "2", "-genv", "A", "b"),
    )


@pytest.mark.parametrize(
    ("text", "flavour"),
    [
        ("mpirun (Open MPI) 4.1.4\n\nReport bugs", Flavour.OPEN_MPI),
        ("HYDRA build details:\n    Version: 4.0.2", Flavour.HYDRA),
        ("Intel(R) MPI Library for Linux* OS", Flavour.HYDRA),
    ],
)
def test_whose_mpirun_it_is(text: str, flavour: Flavour) -> None:
    assert flavour_of(text, "mpirun") is flavour


def test_an_unknown_mpirun_is_refused() -> None:
    with pytest.raises(WeirError, match="neither that of Open MPI nor of MPICH: something else"):
        flavour_of("something else", "mpirun")


def test_no_mpirun_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(WeirError, match=r"no mpirun in PATH.*apt-get install openmpi-bin") as caught:
        Mpirun().prepare()
    assert caught.value.exit_code == 2


def test_launchers_register_themselves() -> None:
    assert "mpirun" in launchers() and "mock" not in launchers()
    with pytest.raises(WeirError, match=r"no launcher 'mpiruns'.*Did you mean 'mpirun'"):
        find_launcher("mpiruns")


def test_threads_of_one_core_count_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1, 2, 3})
    for cpu in range(4):
        folder = tmp_path / f"cpu{cpu}" / "topology"
        folder.mkdir(parents=True)
        (folder / "core_cpus_list").write_text(f"{cpu % 2},{cpu % 2 + 2}\n")
    assert usable_cores(tmp_path) == 2
    assert usable_cores(tmp_path / "none") == 4


def _mpirun_that(says: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    program = folder / "mpirun"
    program.write_text(f"#!/bin/sh\n{says}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    return program


def test_an_mpirun_that_prints_what_is_no_text_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = _mpirun_that(r"printf '\377\376\200 mpi\n'", tmp_path, monkeypatch)
    with pytest.raises(WeirError, match="neither that of Open MPI nor of MPICH"):
        Mpirun().prepare()
    program.with_name("ompi_info").write_text("#!/bin/sh\nprintf 'mca:io:\\377x:version\\n'\n")
    program.with_name("ompi_info").chmod(0o755)
    assert len(open_mpi_components(str(program))) == 1


def test_an_mpirun_that_hangs_is_told_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _mpirun_that("exec sleep 60", tmp_path, monkeypatch)
    monkeypatch.setattr("weir.launch.mpirun.LONGEST_ANSWER_S", 0.2)
    with pytest.raises(WeirError, match="its --version has not answered within"):
        Mpirun().prepare()


@pytest.mark.parametrize(("place", "why"), [("file", "is no folder"), ("folder", None), ("none", None)])
def test_a_folder_for_files_of_mpirun_that_is_none_is_named(
    place: str, why: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _mpirun_that("echo 'mpirun (Open MPI) 4.1.4'", tmp_path, monkeypatch)
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / place))
    if why is None:
        Mpirun().prepare()
    else:
        with pytest.raises(WeirError, match=f"TMPDIR, and '.*' {why}"):
            Mpirun().prepare()


def test_all_ranks_run_on_the_one_host_that_is_asked_for() -> None:
    spec = LaunchSpec(2, host="n3")
    for made, option in ((open_mpi(), "--host"), (hydra(), "-hosts")):
        argv = made.command(spec, PROGRAM).argv
        assert argv[argv.index(option) + 1] == "n3:2"


@pytest.mark.parametrize(
    ("spec", "placing"),
    [
        (LaunchSpec(2, threads=2), "--bind-to core --map-by slot:PE=2"),
        (LaunchSpec(4, nodes=2, ranks_per_node=2, threads=2), "--bind-to core --map-by ppr:2:node:PE=2"),
        (LaunchSpec(2, threads=3), "--bind-to none --oversubscribe"),
        (LaunchSpec(8, nodes=1, ranks_per_node=8), "--bind-to none --map-by ppr:8:node --oversubscribe"),
    ],
)
def test_each_rank_has_cores_for_its_threads_where_there_are_enough(spec: LaunchSpec, placing: str) -> None:
    assert placing in " ".join(open_mpi().command(spec, ("weir-core",)).argv)
    assert "-bind-to core:2" in " ".join(hydra().command(LaunchSpec(2, threads=2), ("weir-core",)).argv)


def test_ranks_of_a_job_are_spread_over_its_nodes() -> None:
    of_job = Mpirun(Facts("mpirun", Flavour.OPEN_MPI, cores=4, is_root=False, nodes=2))
    assert of_job.binding(LaunchSpec(8)) == "core" and of_job.binding(LaunchSpec(9)) == "none"
    assert of_job.binding(LaunchSpec(8, host="n1")) == "none"
    assert of_job.lacks(LaunchSpec(3, nodes=3)) == "it takes 3 nodes, and the job has 2"
    assert of_job.lacks(LaunchSpec(2, nodes=2)) is None


def test_a_node_takes_more_ranks_than_the_job_has_tasks_there_where_it_has_the_cores() -> None:
    of_job = Mpirun(Facts("mpirun", Flavour.OPEN_MPI, cores=4, is_root=False, nodes=2, slots=1))

    def words(spec: LaunchSpec) -> list[str]:
        return [*of_job.command(spec, ("weir-core",)).argv]

    assert "--oversubscribe" in words(LaunchSpec(2, nodes=1, ranks_per_node=2))
    assert "mpi_yield_when_idle" not in words(LaunchSpec(2, nodes=1, ranks_per_node=2))
    assert "--oversubscribe" not in words(LaunchSpec(2, nodes=2, ranks_per_node=1))


def test_ranks_of_mpich_rest_where_a_node_is_crowded_and_not_for_many_nodes() -> None:
    def throttles(launcher: Mpirun, spec: LaunchSpec) -> bool:
        return "MPIR_CVAR_CH4_PROGRESS_THROTTLE" in launcher.command(spec, ("weir-core",)).argv

    of_job = Mpirun(Facts("mpiexec", Flavour.HYDRA, cores=4, is_root=False, nodes=2))
    assert not throttles(of_job, LaunchSpec(8)) and throttles(of_job, LaunchSpec(9))
    assert throttles(hydra(4), LaunchSpec(2, threads=3))
