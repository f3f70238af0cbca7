"""Small C programs whose I/O is known, recorded."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from weir.trace.process import Process, read_trace

ROOT = Path(__file__).parents[3]
RECORDER = ROOT / "build" / "release" / "lib" / "libweir-trace.so"

HEAD = """
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
static char data[1 << 16];
"""


AS_WRITTEN = ("-O0", "-fno-builtin")
"""Compilers otherwise put one function of stdio for another."""


def record(
    tmp_path: Path,
    body: str,
    env: dict[str, str] | None = None,
    status: int = 0,
    options: tuple[str, ...] = ("-O1",),
) -> list[Process]:
    """Compile a program with this main, run it in an empty folder under the recorder, read the trace."""
    program = compiled(tmp_path, body, options)
    done = run([program], tmp_path, env)
    assert done.returncode == status, done.stderr
    return read_trace(tmp_path / "trace")


def compiled(tmp_path: Path, body: str, options: tuple[str, ...] = ("-O1",)) -> Path:
    """The program of this main."""
    compiler = shutil.which("cc")
    if not RECORDER.exists() or compiler is None:
        pytest.skip("the recorder is not built, or there is no C compiler")
    source = tmp_path / "program.c"
    source.write_text(f"{HEAD}\n{body}")
    subprocess.run([compiler, *options, "-o", tmp_path / "program", source, "-lpthread"], check=True)
    return tmp_path / "program"


def run(
    command: list[str | Path], tmp_path: Path, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command in an empty folder, `store`, under the recorder. Its trace goes to `trace`."""
    if not RECORDER.exists():
        pytest.skip("the recorder is not built")
    store, folder = tmp_path / "store", tmp_path / "trace"
    store.mkdir()
    folder.mkdir(exist_ok=True)
    recorder = {"LD_PRELOAD": str(RECORDER), "WEIR_TRACE": str(folder)}
    return subprocess.run(
        command,
        cwd=store,
        capture_output=True,
        text=True,
        env={**os.environ, **recorder, **(env or {})},
        check=False,
    )


def exported(library: Path) -> set[str]:
    """Functions that a library offers. Skips the test where there is no nm, which tells them."""
    nm = shutil.which("nm")
    if nm is None:
        pytest.skip("there is no nm, which tells what a library exports")
    table = subprocess.run([nm, "-D", "--defined-only", library], capture_output=True, text=True, check=True)
    lines = [line.split() for line in table.stdout.splitlines()]
    return {line[2].split("@")[0] for line in lines if line[1] in "TWi"} - {"_init", "_fini"}


def calls(process: Process, thread: int = 0) -> list[tuple[str, str, int, int, int]]:
    """What a thread did: call, file's name, offset, length, result."""
    rows = []
    for record in process.streams[thread].records:
        file = process.names.files.get(int(record["file"]))
        rows.append(
            (
                process.names.calls[int(record["call"])].name,
                "" if file is None else Path(file.name).name,
                int(record["offset"]),
                int(record["length"]),
                int(record["result"]),
            )
        )
    return rows


def calls_of_all_threads(process: Process) -> list[tuple[str, str, int, int, int]]:
    """What all threads did, one thread after the other."""
    return [row for thread in range(len(process.streams)) for row in calls(process, thread)]


def writes(process: Process) -> list[tuple[int, int]]:
    """Offsets and results of all that wrote, of all threads."""
    rows = calls_of_all_threads(process)
    return [(row[2], row[4]) for row in rows if row[0] in ("write", "pwrite", "writev", "fwrite")]
