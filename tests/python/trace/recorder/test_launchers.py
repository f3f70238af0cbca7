"""Launchers that scripts start are recorded, whatever variables they pass on to their ranks."""

import os
from pathlib import Path

import pytest

from running import ended
from weir.preload import preloading
from weir.trace.load import load_trace

from ..parallel_programs import AS_ROOT_TOO, OPEN_MPI, compiled
from ..programs import RECORDER

WRITE = """
    const char *mine = getenv("MINE");
    if (mine == NULL || strcmp(mine, "a b")) return 1;
    int fd = open(rank == 0 ? "first" : "second", O_CREAT | O_WRONLY, 0644);
    if (write(fd, data, 10) != 10) return 1;
    """


@pytest.mark.parametrize("launcher", ["mpirun.openmpi", "orterun"])
def test_a_script_may_pass_on_variables_of_its_own(tmp_path: Path, launcher: str) -> None:
    """Open MPI refuses the list of names by which `weir trace` passes the recorder's on."""
    program = compiled(tmp_path, WRITE, OPEN_MPI)
    trace = tmp_path / "trace"
    trace.mkdir()
    script = " ".join((launcher, "-x", "MINE", *OPEN_MPI.launch[1:], "-n", "2", str(program)))
    before = {**os.environ, **AS_ROOT_TOO, "MINE": "a b"}
    recorded = preloading(RECORDER, {"WEIR_TRACE": str(trace)}, before, "WEIR_TRACE_LIBRARY")
    done = ended("sh", "-c", script, cwd=tmp_path, env=recorded)
    assert done.returncode == 0, done.stderr
    found = load_trace(trace)
    assert found.ranks == 2
    names = {Path(file.name).name for file in found.files}
    assert {"first", "second"} <= names
