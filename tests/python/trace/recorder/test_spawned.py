"""Processes that MPI_Comm_spawn starts are recorded, have ranks of their own, and are not their parents."""

import os
from pathlib import Path

import pytest

from running import ended
from weir.trace.load import load_trace, renumbered
from weir.trace.model import Trace
from weir.trace.unseen import Unseen

from ..parallel_programs import AS_ROOT_TOO, BOTH, Mpi, compiled
from ..programs import RECORDER, Record

WRITE = """
    MPI_Comm parent, children;
    MPI_Comm_get_parent(&parent);
    char name[40];
    snprintf(name, sizeof name, "%s-%d", parent == MPI_COMM_NULL ? "parent" : "child", rank);
    int fd = open(name, O_CREAT | O_WRONLY, 0644);
    if (write(fd, data, 10) != 10) return 1;
    if (argc > 1 && strcmp(argv[1], "a b")) return 1;
    if (parent == MPI_COMM_NULL) {
        SPAWN
    }
    MPI_Barrier(MPI_COMM_WORLD);
    """
ONE = """MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                        MPI_ERRCODES_IGNORE);"""
SEVERAL = """
    char *commands[] = {argv[0], argv[0]};
    char *words[] = {"a b", NULL}, **arguments[] = {words, words};
    int counts[] = {1, 1};
    MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
    MPI_Comm_spawn_multiple(2, rank == 1 ? commands : NULL, rank == 1 ? arguments : NULL, counts, infos, 1,
                            MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);"""


def writers(trace: Trace) -> dict[str, int]:
    """The rank that wrote each file."""
    wrote = {}
    for lane in trace.lanes:
        for index in set(lane.file_index[lane.records["file"].clip(0, len(lane.file_index) - 1)].tolist()):
            name = Path(trace.files[index].name).name
            if name.startswith(("parent-", "child-")):
                wrote[name] = lane.rank
    return wrote


def need_spawning(tmp_path: Path, mpi: Mpi) -> None:
    """Skips the test where the MPI by itself cannot spawn, as Debian's MPICH over UCX cannot."""
    plain = tmp_path / "plain"
    plain.mkdir()
    program = compiled(plain, WRITE.replace("SPAWN", ONE), mpi)
    done = ended(*mpi.launch, "-n", "2", program, cwd=plain, env={**os.environ, **AS_ROOT_TOO})
    if done.returncode != 0:
        pytest.skip(f"{mpi.name} cannot spawn processes here, without the recorder either")


@BOTH
@pytest.mark.parametrize("spawn", [ONE, SEVERAL], ids=["one", "several"])
@pytest.mark.parametrize("passed_on", [False, True], ids=["behind-the-launcher", "passed-on"])
def test_processes_that_are_spawned_are_counted_on(
    run_c: Record, tmp_path: Path, mpi: Mpi, spawn: str, passed_on: bool
) -> None:
    need_spawning(tmp_path, mpi)
    ours = {"LD_PRELOAD": str(RECORDER), "WEIR_TRACE": str(tmp_path / "trace")}
    ours |= {"OMPI_MCA_mca_base_env_list": ";".join(ours)}
    run_c(WRITE.replace("SPAWN", spawn), env=ours if passed_on else {})
    trace = load_trace(tmp_path / "trace")
    assert trace.ranks == 4
    assert writers(trace) == {"parent-0": 0, "parent-1": 1, "child-0": 2, "child-1": 3}
    assert {"0-1", "2-3"} <= set(trace.communicators)
    assert any("2 worlds of MPI" in note and "from 2 on" in note for note in trace.notes)
    assert trace.unseen == ()
    assert any(call.name.startswith("MPI_Comm_spawn") for call in trace.calls)


def test_processes_that_are_spawned_without_the_recorder_are_told(run_c: Record, tmp_path: Path) -> None:
    spawn = f"""if (rank == 0) {{ if (rename("{tmp_path}/program", "a=b") != 0) return 1; }}
        {ONE.replace("argv[0]", '"./a=b"')}"""
    run_c(WRITE.replace("SPAWN", spawn))
    trace = load_trace(tmp_path / "trace")
    assert sorted(writers(trace)) == ["parent-0", "parent-1"]
    assert [replaced(one) for one in trace.unseen] == [Unseen("program", "spawned", 2)]


def replaced(one: Unseen) -> Unseen:
    """With its program's name alone."""
    return Unseen(Path(one.program).name, one.reason, one.times, one.read, one.written, one.others)


@pytest.mark.parametrize(
    ("ranks", "first", "expected"),
    [("0-3,8", 4, "4-7,12"), ("0-6:2", 10, "10-16:2"), ("0-3,8", 0, "0-3,8"), ("1,5...", 2, "3,7...")],
)
def test_ranks_of_communicators_are_counted_on(ranks: str, first: int, expected: str) -> None:
    assert renumbered(ranks, first) == expected
