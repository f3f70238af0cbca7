"""`weir boost` in front of programs, with the library that was built."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from open_mpi import AS_ROOT_TOO
from weir.boost.run import LIBRARY, VARIABLE
from weir.core.client import find_core

ENVIRONMENT = {**os.environ, **AS_ROOT_TOO, "OMPI_MCA_io": "^ompio"}
"""OMPIO 4.1 hangs in some of these programs."""
RANKS = ("mpirun", "--oversubscribe", "--bind-to", "none", "-n", "2")


def boosted(*command: str | Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """How `weir boost` ended, and what was said."""
    words = [sys.executable, "-m", "weir.cli.main", "boost", "--", *command]
    given = {**ENVIRONMENT, **environment}
    return subprocess.run(words, capture_output=True, text=True, check=False, env=given, timeout=120)


@pytest.fixture
def program() -> Path:
    """Random programs of MPI-IO."""
    found = find_core().parent / "random_mpi_io"
    if shutil.which("mpirun") is None or not found.exists():
        pytest.skip("there is no mpirun, or the program of this test was not built")
    return found


def test_a_program_prints_the_same_and_a_line_says_what_was_done(program: Path, tmp_path: Path) -> None:
    words = (*RANKS, program, tmp_path, "7", "12")
    hints = tmp_path / "hints"  # ROMIO otherwise writes stale bytes into holes
    hints.write_text("romio_cb_write disable\nromio_ds_write disable\n")
    alone = {**ENVIRONMENT, "ROMIO_HINTS": str(hints)}
    plain = subprocess.run(words, capture_output=True, text=True, check=True, env=alone, timeout=120)
    done = boosted(*words, WEIR_BOOST="always", ROMIO_HINTS=str(hints))
    assert (done.returncode, done.stdout) == (0, plain.stdout)
    told = re.search(r"weir boost: (\d+) collective calls taken over", done.stderr)
    assert told, done.stderr
    assert int(told[1]) > 0


def test_a_program_without_ranks_is_left_alone() -> None:
    done = boosted("sh", "-c", "echo right; exit 7")
    assert (done.returncode, done.stdout, done.stderr) == (7, "right\n", "")


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (("no-such-program",), "there is no such program"),
        (("-n", "4", "./app"), "name the program first, as in: weir boost -- mpirun -n 4 ./app"),
    ],
)
def test_what_cannot_be_started_is_told(command: tuple[str, ...], why: str) -> None:
    done = boosted(*command)
    assert done.returncode == 2
    assert why.lower() in done.stderr.lower()


def test_a_library_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = boosted("true", **{VARIABLE: str(tmp_path / LIBRARY)})
    assert done.returncode == 2
    assert VARIABLE in done.stderr
