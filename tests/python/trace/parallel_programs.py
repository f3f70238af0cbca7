"""Small MPI programs in C and Fortran whose I/O is known, recorded."""

import os
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from open_mpi import AS_ROOT_TOO
from running import ended
from weir.trace.process import Process, read_trace

from .programs import RECORDER, build, exported, in_main, need

C_HEAD = """
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char data[1 << 20];
static MPI_File file;
static int rank, ranks;
static void begin(int *argc, char ***argv) {
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
}
static void open_file(const char *name) {
    int mode = MPI_MODE_CREATE | MPI_MODE_RDWR;
    int code = MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file);
    if (code != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 9);
}
"""


@dataclass(frozen=True)
class Mpi:
    """One that is installed: its compilers and its launcher."""

    name: str
    cc: str
    fortran: str
    launch: tuple[str, ...]


OPEN_MPI = Mpi(
    "Open MPI",
    "mpicc.openmpi",
    "mpifort.openmpi",
    ("mpirun.openmpi", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"),
)
MPICH = Mpi("MPICH", "mpicc.mpich", "mpifort.mpich", ("mpirun.mpich",))
BOTH = pytest.mark.parametrize("mpi", [OPEN_MPI, MPICH], ids=lambda mpi: mpi.name)


def compiled(tmp_path: Path, source: str, mpi: Mpi, *, suffix: str = ".c", flags: Sequence[str] = ()) -> Path:
    """A program of this source; C gets the head above. In C without main(), what `in_main` takes as its body
    stands between MPI_Init() and MPI_Finalize(). Skips the test where a compiler is missing."""
    compiler = mpi.cc if suffix == ".c" else mpi.fortran
    need(compiler, mpi.launch[0])
    if suffix == ".c":
        body = source if "main(" in source else in_main(source, "begin(&argc, &argv);", "MPI_Finalize();")
        source = f"{C_HEAD}\n{body}"
    program, errors = build(source, suffix, compiler, *flags)
    assert program, errors
    return Path(shutil.copy(program, tmp_path / "program"))


def flags_of(package: str) -> list[str]:
    """What a C program needs for this library; skips the test where pkg-config does not know it."""
    need("pkg-config")
    found = ended("pkg-config", "--cflags", "--libs", package)
    if found.returncode != 0:
        pytest.skip(f"{package} is not installed here: pkg-config does not know it")
    return found.stdout.split()


def offered_by(tmp_path: Path, mpi: Mpi) -> set[str]:
    """Functions of the libraries of an MPI."""
    return exported_to(compiled(tmp_path, "MPI_File_close(&file);", mpi), "libmpi")


def exported_to(program: Path, library: str) -> set[str]:
    """Functions of those libraries of a program whose names begin so."""
    lines = [line.split() for line in ended("ldd", program).stdout.splitlines() if "=> /" in line]
    paths = [Path(line[2]) for line in lines if line[0].startswith(library)]
    return {name for path in paths for name in exported(path)}


def record_ranks(
    tmp_path: Path, command: Sequence[str | Path], ranks: int, mpi: Mpi = OPEN_MPI, **how: Any
) -> list[Process]:
    """Run a command under the recorder on so many ranks, in an empty folder; its processes, by rank. `how`
    may have `arguments` of the launcher, `env`, and `fails`: whether it must."""
    store, folder = tmp_path / "store", tmp_path / "trace"
    store.mkdir()
    folder.mkdir()
    recorder = [f"LD_PRELOAD={RECORDER}", f"WEIR_TRACE={folder}"]
    launcher = [*mpi.launch, *how.get("arguments", ()), "-n", str(ranks), "env", *recorder]
    done = ended(*launcher, *command, cwd=store, env={**os.environ, **AS_ROOT_TOO, **how.get("env", {})})
    assert (done.returncode != 0) is how.get("fails", False), done.stdout + done.stderr
    found = [process for process in read_trace(folder) if process.facts["rank"] >= 0]
    return sorted(found, key=lambda process: int(process.facts["rank"]))


def run_parallel(tmp_path: Path, source: str, ranks: int = 2, *, mpi: Mpi, **how: Any) -> list[Process]:
    """Compile a C program and record it; `how` as for `record_ranks`."""
    return record_ranks(tmp_path, [compiled(tmp_path, source, mpi)], ranks, mpi, **how)


@dataclass(frozen=True)
class Row:
    """A record with its names."""

    interface: str
    call: str
    kind: str
    name: str
    """Of the file, without its folder; of the dataset; of the communicator or mark."""
    offset: int
    length: int
    result: int
    level: int
    flags: int
    begin: int
    end: int


def rows(process: Process, interface: str | None = None) -> list[Row]:
    """What a process did, thread by thread, in the order in which its calls began."""
    names = process.names
    found = []
    for stream in process.streams:
        for record in sorted(stream.records, key=lambda one: (one["begin_ticks"], one["level"])):
            call, number = names.calls[int(record["call"])], int(record["file"])
            if number in names.files:
                file = names.files[number]
                name = file.name if file.parent else Path(file.name).name
            else:
                name = names.communicators.get(number, names.marks.get(number, ""))
            numbers = (int(record[key]) for key in ("offset", "length", "result", "level", "flags"))
            times = (int(record["begin_ticks"]), int(record["end_ticks"]))
            found.append(Row(call.interface, call.name, call.kind, name, *numbers, *times))
    return [row for row in found if interface is None or row.interface == interface]


def columns(found: Iterable[Row], *names: str) -> list[tuple[Any, ...]]:
    """These columns of rows."""
    return [tuple(getattr(row, name) for name in names) for row in found]


def transfers(process: Process, interface: str = "MPI-IO") -> list[tuple[str, int, int, int]]:
    """Reads and writes of an interface: call, offset, length, result."""
    moves = [row for row in rows(process, interface) if row.kind in {"read", "write"}]
    return columns(moves, "call", "offset", "length", "result")


def inside(process: Process, outer: Row, interface: str) -> list[Row]:
    """What an interface did while a call was under way."""
    return [
        row
        for row in rows(process, interface)
        if row.level > outer.level and outer.begin <= row.begin and row.end <= outer.end
    ]
