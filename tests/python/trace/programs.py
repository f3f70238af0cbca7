"""Small C programs whose I/O is known, recorded."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from weir.trace.trace import Process, read_trace

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
    compiler = shutil.which("cc")
    if not RECORDER.exists() or compiler is None:
        pytest.skip("the recorder is not built, or there is no C compiler")
    source = tmp_path / "program.c"
    source.write_text(f"{HEAD}\n{body}")
    subprocess.run([compiler, *options, "-o", tmp_path / "program", source, "-lpthread"], check=True)
    store, folder = tmp_path / "store", tmp_path / "trace"
    store.mkdir()
    folder.mkdir()
    done = subprocess.run(
        [tmp_path / "program"],
        cwd=store,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "LD_PRELOAD": str(RECORDER), "WEIR_TRACE": str(folder), **(env or {})},
        check=False,
    )
    assert done.returncode == status
    return read_trace(folder)


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
