"""Marks: a program's own phases, nested, cut off, and where there is no recorder."""

import signal
import subprocess
from functools import partial
from pathlib import Path

import pytest

from running import ended
from weir.explain.summarise import summarise
from weir.trace.load import load_trace

from ..parallel_programs import OPEN_MPI, Row, compiled, record_ranks, rows
from ..programs import ROOT, Record, need, record_program

INCLUDE = ROOT / "include"
MARKED = ("-O1", "-D_GNU_SOURCE=", "-include", str(INCLUDE / "weir" / "mark.h"))


@pytest.fixture
def record(tmp_path: Path) -> Record:
    """`record_program` with the marks declared, in this test's folder."""
    return partial(record_program, tmp_path, options=MARKED)


def marks(found: list[Row]) -> list[tuple[str, str, int]]:
    """Call, name and how many phases are around it, by the time when they begin."""
    return [(row.call.removeprefix("weir_mark"), row.name, row.length) for row in found if row.kind == "mark"]


def test_phases_lie_inside_each_other(record: Record) -> None:
    (process,) = record("""
        int fd = open("a", O_RDWR | O_CREAT, 0644);
        weir_mark_begin("run");
        weir_mark("step 1");
        weir_mark_begin("dump");
        pwrite(fd, data, 10, 0);
        weir_mark_end("dump");
        weir_mark_begin("dump");
        weir_mark_end("dump");
        weir_mark_end("run");
        weir_mark_end("never begun");
        """)
    found = rows(process)
    assert sorted(marks(found)) == sorted(
        [
            ("_begin", "run", 0),
            ("", "step 1", 1),
            ("_begin", "dump", 1),
            ("_end", "dump", 1),
            ("_begin", "dump", 1),
            ("_end", "dump", 1),
            ("_end", "run", 0),
            ("", "never begun", 0),
        ]
    )
    run = next(row for row in found if row.call == "weir_mark_end" and row.name == "run")
    dump = next(row for row in found if row.call == "weir_mark_end" and row.name == "dump")
    (write,) = (row for row in found if row.call == "pwrite")
    assert run.begin < dump.begin < write.begin < write.end <= dump.end < run.end
    assert (write.level, dump.level) == (0, 0)
    begun = [row for row in found if row.call == "weir_mark_begin"]
    assert [row.begin for row in begun if row.name == "run"] == [run.begin]


def test_a_phase_may_be_named_as_a_file_is(record: Record, tmp_path: Path) -> None:
    (process,) = record("""
        char path[4096];
        strcat(getcwd(path, 4000), "/a");
        int fd = open(path, O_RDWR | O_CREAT, 0644);
        weir_mark(path);
        pwrite(fd, data, 10, 0);
        """)
    path = str(tmp_path / "store" / "a")
    numbers = {call.name: number for number, call in process.names.calls.items()}
    records = process.streams[0].records
    of = {name: set(records["file"][records["call"] == number].tolist()) for name, number in numbers.items()}
    assert of["open"] == of["pwrite"]
    assert not of["weir_mark"] & of["open"], "a phase is no file"
    assert [file.name for file in process.names.files.values()].count(path) == 1


def test_the_end_of_an_outer_phase_ends_those_inside(record: Record) -> None:
    (process,) = record("""
        weir_mark_begin("outer");
        weir_mark_begin("inner");
        weir_mark_end("outer");
        weir_mark_begin("next");
        weir_mark_end("next");
        """)
    ends = [row for row in rows(process) if row.call == "weir_mark_end"]
    assert [(row.name, row.length) for row in ends] == [("outer", 0), ("next", 0)]


def test_a_program_that_is_killed_leaves_what_it_had_begun(record: Record) -> None:
    program = """
        weir_mark_begin("run");
        weir_mark_begin("dump");
        raise(SIGKILL);
        """
    (process,) = record(program, status=-signal.SIGKILL)
    assert marks(rows(process)) == [("_begin", "run", 0), ("_begin", "dump", 1)]


def test_without_the_recorder_nothing_happens(tmp_path: Path) -> None:
    """In C of 1999 and in C++, with all warnings."""
    text = '#include <weir/mark.h>\nint main(void) { weir_mark_begin("a"); weir_mark_end("a"); return 0; }\n'
    for compiler, suffix, standard in (("cc", "c", "c99"), ("c++", "cpp", "c++11")):
        need(compiler)
        source = tmp_path / f"program.{suffix}"
        source.write_text(text)
        strict = [f"-std={standard}", "-Wall", "-Wextra", "-pedantic", "-Werror", f"-I{INCLUDE}"]
        subprocess.run([compiler, *strict, "-o", tmp_path / "program", source, "-ldl"], check=True)
        subprocess.run([tmp_path / "program"], check=True)


def test_fortran(record: Record, tmp_path: Path) -> None:
    need("gfortran")
    (tmp_path / "program.f90").write_text(
        """
        program marked
          use weir_marks
          character(len=20) :: name
          call weir_mark_begin('dump')
          name = 'step 7'
          call weir_mark(name)
          call weir_mark_end('dump')
        end program
        """
    )
    sources = [INCLUDE / "weir" / "weir_marks.f90", tmp_path / "program.f90"]
    strict = ["-std=f2008", "-Wall", "-Wextra", "-Werror"]
    built = ended("gfortran", *strict, "-o", tmp_path / "fortran", *sources, "-ldl", cwd=tmp_path)
    assert built.returncode == 0, built.stderr
    assert ended(tmp_path / "fortran").returncode == 0
    (process,) = record(f'execl("{tmp_path}/fortran", "fortran", NULL); return 1;')[-1:]
    assert sorted(marks(rows(process))) == [("", "step 7", 1), ("_begin", "dump", 0), ("_end", "dump", 0)]


PHASES = """
weir_mark_begin("solve");
usleep(20000);
MPI_Barrier(MPI_COMM_WORLD);
weir_mark_end("solve");
weir_mark_begin("write");
open_file("out");
MPI_File_write_at_all(file, rank * sizeof data, data, sizeof data, MPI_BYTE, MPI_STATUS_IGNORE);
MPI_File_close(&file);
weir_mark_end("write");
weir_mark_begin("nothing");
weir_mark_end("nothing");
"""


def test_a_profile_of_ranks_attributes_all_of_their_time_once(tmp_path: Path) -> None:
    program = compiled(tmp_path, PHASES, OPEN_MPI, flags=MARKED)
    record_ranks(tmp_path, [program], 2)
    trace = load_trace(tmp_path / "trace")
    profile = summarise(trace).profile
    solve, _, nothing, outside = profile.phases
    assert [phase.name for phase in profile.phases] == ["solve", "write", "nothing", ""]
    kinds = {phase.name: {part.kind: part for part in phase.parts} for phase in profile.phases}
    assert set(kinds["solve"]) == {"computing", "MPI"} and kinds["solve"]["computing"].min_s >= 0.02
    assert {"MPI-IO", "POSIX I/O", "opens"} <= set(kinds["write"])
    assert any(part.name == "MPI_Init" for part in outside.parts)
    assert nothing.max_s < solve.min_s and profile.ranks == nothing.ranks == 2 and not profile.threads
    for phase in profile.phases:
        assert sum(part.share or 0 for part in phase.parts) == pytest.approx(1)
    lived = sum(life.ended_ns - life.began_ns for life in trace.lives) / 1e9
    assert sum(phase.mean_s for phase in profile.phases) * 2 == pytest.approx(lived, rel=1e-3)
    # As the operations count them: MPI-IO's own time, and that of what is called in it.
    whole = sum(row.own_s or 0 for row in summarise(trace).operations if row.interface == "MPI-IO")
    opens = kinds["write"]["opens"].mean_s
    own = kinds["write"]["MPI-IO"].mean_s
    assert own * 2 <= whole <= (own + opens) * 2 + 1e-9
