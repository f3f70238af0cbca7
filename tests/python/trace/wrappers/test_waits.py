"""What is recorded of real programs tells whom ranks waited for, and what that one did meanwhile."""

from pathlib import Path

from weir.explain.critical_path.rows import CriticalPath
from weir.explain.rule import answers_on
from weir.explain.summarise import summarise
from weir.trace.load import load_trace

from ..parallel_programs import BOTH, OPEN_MPI, Mpi, run_parallel

ONE_FLUSHES = """
    if (rank == 0) {
        FILE *log = fopen("log.txt", "w");
        for (int i = 0; i < 60000; i++) { fprintf(log, "step %d\\n", i); fflush(log); }
        fclose(log);
    }
    MPI_Barrier(MPI_COMM_WORLD);
"""
IN_TURN = """
    int baton = 0;
    char name[16];
    snprintf(name, sizeof name, "out.%d", rank);
    if (rank > 0) MPI_Recv(&baton, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int out = open(name, O_CREAT | O_WRONLY, 0600);
    for (int i = 0; i < 20000; i++) write(out, data, 100);
    close(out);
    if (rank + 1 < ranks) MPI_Send(&baton, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
"""
ROOT_READS = """
    int out = open("config", O_CREAT | O_RDWR, 0600);
    if (rank == 1) for (int i = 0; i < 30000; i++) pwrite(out, data, 100, 0);
    MPI_Bcast(data, 8, MPI_CHAR, 1, MPI_COMM_WORLD);
"""


@BOTH
def test_a_log_that_one_rank_flushes_is_named(tmp_path: Path, mpi: Mpi) -> None:
    run_parallel(tmp_path, ONE_FLUSHES, mpi=mpi)
    summary = summarise(load_trace(tmp_path / "trace"))
    alone = _alone(summary.path)
    assert alone.keys() == {0}
    found = {one.question: one for one in answers_on(summary)}
    assert found["serial"].subject == ("rank 0", "log.txt")
    assert found["serial"].words == {"calls": "60,000 fflush"}
    assert found["flushes"].subject == ("log.txt",)
    assert found["flushes"].words == {"flushes": "60,000 times", "writes": "60,000"}
    assert any(
        one.label == "mean write" and round(float(one.value)) == 11 for one in found["flushes"].evidence
    )


def test_ranks_that_pass_a_baton_write_in_turn(tmp_path: Path) -> None:
    run_parallel(tmp_path, IN_TURN, 3, mpi=OPEN_MPI)
    alone = _alone(summarise(load_trace(tmp_path / "trace")).path)
    assert alone.keys() >= {1, 2}, "rank 0 may begin before others wait"


def test_all_wait_for_the_root_that_writes_before_it_broadcasts(tmp_path: Path) -> None:
    run_parallel(tmp_path, ROOT_READS, 3, mpi=OPEN_MPI)
    assert _alone(summarise(load_trace(tmp_path / "trace")).path).keys() == {1}


def _alone(path: CriticalPath | None) -> dict[int, float]:
    """How long each rank was in I/O calls while others waited, if that is no chance."""
    assert path is not None
    return {row.rank: row.alone_s for row in path.ranks if row.alone_s > 1e-3}
