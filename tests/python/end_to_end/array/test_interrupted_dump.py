"""A dump of arrays that is killed at any moment leaves the last good one, or the new one, never a mixture."""

import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from open_mpi import AS_ROOT_TOO
from running import ended

from ..conftest import CORE, children_of

PROGRAM = CORE.parent / "dump_forever"
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]


@pytest.fixture(autouse=True)
def _programs(monkeypatch: pytest.MonkeyPatch) -> None:
    if not PROGRAM.exists() or shutil.which("mpirun") is None:
        pytest.skip("the program that dumps, or mpirun, is not here")
    for name, value in AS_ROOT_TOO.items():
        monkeypatch.setenv(name, value)


def dump_until_killed(file: Path, delay: float) -> int:
    """Replace the dump again and again, kill all ranks after a while; the last version that was complete."""
    command = [*MPIRUN, "-n", "3", str(PROGRAM), "write", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as run:
        assert run.stdout is not None
        first = run.stdout.readline()
        time.sleep(delay)
        for rank in children_of(run.pid):
            os.kill(rank, signal.SIGKILL)
        rest = run.stdout.read().split()
    return int(rest[-1] if rest else first)


def test_a_killed_dump_leaves_a_good_one(tmp_path: Path) -> None:
    delays = random.Random(4)
    for _ in range(6):
        file = tmp_path / "dump"
        complete = dump_until_killed(file, delays.uniform(0, 0.3))
        check = ended(*MPIRUN, "-n", "2", PROGRAM, "check", file)
        assert check.returncode == 0, check.stdout + check.stderr
        # The call may have been killed after it had replaced the dump, and before it was told so.
        assert int(check.stdout) in (complete, complete + 1)
