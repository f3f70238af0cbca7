"""How MPI programs begin and end; those in Fortran; those that wrap functions themselves."""

from pathlib import Path

import pytest

from weir.trace.process import Process

from ..parallel_programs import BOTH, Mpi, compiled, record_ranks, rows, transfers
from ..programs import Record


@BOTH
def test_files_from_before_init_to_after_finalize(run_c: Record, mpi: Mpi) -> None:
    processes = run_c("""
        int main(int argc, char **argv) {
            int fd = open("early", O_RDWR | O_CREAT, 0644);
            write(fd, data, 10);
            begin(&argc, &argv);
            write(fd, data, 20);
            MPI_Finalize();
            write(fd, data, 30);
            close(fd);
            return 0;
        }
        """)
    for rank, process in enumerate(processes):
        writes = [row for row in rows(process, "POSIX") if row.name == "early" and row.call == "write"]
        assert [(row.offset, row.result) for row in writes] == [(0, 10), (10, 20), (30, 30)]
        (last,) = (row for row in rows(process, "MPI") if row.call == "MPI_Finalize")
        assert writes[2].begin > last.end
        assert process.ended
        assert process.facts["rank"] == rank


WRITE = """
open_file("out");
for (int i = 0; i < 100; ++i)
    MPI_File_write_at(file, 100 * rank + i, data, 1, MPI_BYTE, MPI_STATUS_IGNORE);
MPI_Barrier(MPI_COMM_WORLD);
"""
ENDS = {
    "abort": "if (rank == 0) MPI_Abort(MPI_COMM_WORLD, 3); else pause();",
    "killed": "if (rank == 0) kill(getpid(), SIGKILL); else pause();",
    "terminated": "if (rank == 0) kill(getpid(), SIGTERM); else pause();",
    "_exit": "_exit(4);",
    "exit": "exit(5);",
}


@BOTH
@pytest.mark.parametrize("end", ENDS)
def test_what_a_program_had_finished_is_there(run_c: Record, mpi: Mpi, end: str) -> None:
    processes = run_c(WRITE + ENDS[end], fails=True)
    assert len(processes) == 2
    for rank, process in enumerate(processes):
        expected = [("MPI_File_write_at", 100 * rank + i, 1, 1) for i in range(100)]
        assert transfers(process) == expected


def test_an_abort_is_recorded_as_it_begins(run_c: Record) -> None:
    (process,) = run_c(f"{WRITE} MPI_Abort(MPI_COMM_WORLD, 3);", 1, fails=True)
    assert rows(process, "MPI")[-1].call == "MPI_Abort"


def outer_calls(process: Process) -> list[str]:
    return [row.call for row in rows(process, "MPI") if row.level == 0]


FORTRAN = """
program writes
  {use}
  implicit none
  {include}
  {types}
  integer :: code, rank
  integer(kind=MPI_OFFSET_KIND) :: where
  character(len=100) :: data
  data = 'x'
  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_File_open(MPI_COMM_WORLD, 'out', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, code)
  where = 1000 * rank
  call MPI_File_write_at_all(file, where, data, 100, MPI_CHARACTER, MPI_STATUS_IGNORE, code)
  call MPI_File_seek(file, where + 200, MPI_SEEK_SET, code)
  call MPI_File_write(file, data, 40, MPI_CHARACTER, status, code)
  call MPI_File_iwrite(file, data, 30, MPI_CHARACTER, request, code)
  call MPI_Wait(request, MPI_STATUS_IGNORE, code)
  call MPI_Barrier(MPI_COMM_WORLD, code)
  call MPI_File_close(file, code)
  call MPI_Finalize(code)
end program
"""
NUMBERS = "integer :: file, request, status(MPI_STATUS_SIZE)"
TYPES = "type(MPI_File) :: file\n type(MPI_Request) :: request\n type(MPI_Status) :: status"
DIALECTS = {
    "mpif.h": {"use": "", "include": "include 'mpif.h'", "types": NUMBERS},
    "mpi": {"use": "use mpi", "include": "", "types": NUMBERS},
    "mpi_f08": {"use": "use mpi_f08", "include": "", "types": TYPES},
}


@BOTH
@pytest.mark.parametrize("dialect", DIALECTS)
def test_fortran(tmp_path: Path, mpi: Mpi, dialect: str) -> None:
    source = FORTRAN.format(**DIALECTS[dialect])
    flags = ["-fallow-argument-mismatch"]
    program = compiled(tmp_path, source, mpi, suffix=".f90", flags=flags)
    for rank, process in enumerate(record_ranks(tmp_path, [program], 2, mpi)):
        assert outer_calls(process) == ["MPI_Init", "MPI_Wait", "MPI_Barrier", "MPI_Finalize"]
        assert transfers(process) == [
            ("MPI_File_write_at_all", 1000 * rank, 100, 100),
            ("MPI_File_write", 1000 * rank + 200, 40, 40),
            ("MPI_File_iwrite", 1000 * rank + 240, 30, 30),
        ]
        assert {row.name for row in rows(process, "MPI-IO")} == {"out"}


def test_a_call_that_is_left_by_a_jump_hides_none_after_it(run_c: Record) -> None:
    """An error handler that does not come back."""
    source = """
        #include <setjmp.h>
        static jmp_buf back;
        static void leave(MPI_Comm *world, int *code, ...) { longjmp(back, 1); }
        main:
        MPI_Errhandler handler;
        MPI_Comm_create_errhandler(leave, &handler);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
        if (setjmp(back) == 0) MPI_Bcast(data, 1, MPI_INT, 5000, MPI_COMM_WORLD);
        MPI_Bcast(data, 2, MPI_INT, 0, MPI_COMM_WORLD);
        """
    (process,) = run_c(source, 1)
    told = [(row.call, row.length) for row in rows(process, "MPI") if row.level == 0]
    assert told[1:-1] == [("MPI_Bcast", 8)]


def test_a_tool_that_wraps_mpi_too(run_c: Record) -> None:
    """A program with MPI_Barrier of its own, which calls PMPI_Barrier: once in the trace."""
    source = """
        int MPI_Barrier(MPI_Comm world) { return PMPI_Barrier(world); }
        main:
        MPI_Barrier(MPI_COMM_WORLD);
        """
    for process in run_c(source):
        assert outer_calls(process) == ["MPI_Init", "MPI_Barrier", "MPI_Finalize"]


WITH_A_WRAPPER_OF_ITS_OWN = """
#include <dlfcn.h>
typedef int (*open_t)(MPI_Comm, const char *, int, MPI_Info, MPI_File *);
static int opened = 0;
int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *made) {
    open_t next = (open_t)dlsym(RTLD_NEXT, "MPI_File_open");
    int code = next(comm, name, mode, info, made);
    ++opened;
    return code;
}
int main(int argc, char **argv) {
    begin(&argc, &argv);
    open_file("out");
    MPI_File_write_at(file, 10 * rank, data, 10, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return opened == 1 ? 0 : 1;
}
"""


@BOTH
def test_a_program_that_wraps_a_function_itself(tmp_path: Path, mpi: Mpi) -> None:
    """It is called once, as without the recorder, and recorded once."""
    program = compiled(tmp_path, WITH_A_WRAPPER_OF_ITS_OWN, mpi, flags=["-D_GNU_SOURCE", "-rdynamic", "-ldl"])
    for rank, process in enumerate(record_ranks(tmp_path, [program], 2, mpi)):
        assert [row.call for row in rows(process, "MPI-IO") if row.kind == "open"] == ["MPI_File_open"]
        assert transfers(process) == [("MPI_File_write_at", 10 * rank, 10, 10)]
