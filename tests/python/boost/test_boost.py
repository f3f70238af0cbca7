"""`weir boost` in front of programs, with the library that was built."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from open_mpi import AS_ROOT_TOO
from weir.boost.launches import read_launches
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


def test_a_script_may_pass_on_variables_of_its_own(program: Path, tmp_path: Path) -> None:
    """Open MPI refuses the list of names by which `weir boost` passes its own on."""
    script = " ".join((RANKS[0], "-x", "MINE", *RANKS[1:], str(program), str(tmp_path), "7", "8"))
    done = boosted("sh", "-c", script, MINE="1", WEIR_BOOST="always")
    assert done.returncode == 0, done.stderr
    assert "collective calls taken over" in done.stderr


def test_reports_of_launches_are_kept_apart_in_a_folder(program: Path, tmp_path: Path) -> None:
    reports, files = tmp_path / "reports", tmp_path / "files"
    reports.mkdir()
    files.mkdir()
    one = " ".join((*RANKS, str(program), str(files), "7", "8"))
    done = boosted("sh", "-c", f"{one} && {one}", WEIR_BOOST="always", WEIR_BOOST_REPORT=str(reports))
    assert done.returncode == 0, done.stderr
    found = read_launches(reports)
    assert [launch.ranks for launch in found] == [2, 2]
    assert all(launch.taken > 0 and launch.io_s > 0 for launch in found)


def test_no_report_is_written_through_a_link(program: Path, tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    (tmp_path / "link").symlink_to("reports")
    done = boosted(*RANKS, program, tmp_path, "7", "7", WEIR_BOOST_REPORT=str(tmp_path / "link"))
    assert done.returncode == 0
    assert f"cannot write into '{tmp_path / 'link'}'" in done.stderr
    assert list((tmp_path / "reports").iterdir()) == []


def test_another_mpi_than_the_librarys_is_told_once(program: Path, tmp_path: Path) -> None:
    done = boosted(*RANKS, program.with_name("other_mpi"), WEIR_BOOST_REPORT=str(tmp_path))
    said = re.findall(r"weir boost: nothing taken over: .* the program has (.*)", done.stderr)
    assert (done.returncode, said) == (0, ["Other MPI Version: 9.0"]), done.stderr
    (launch,) = read_launches(tmp_path)
    assert (launch.ranks, launch.other_mpi) == (None, "Other MPI Version: 9.0")


def test_never_takes_nothing_over_and_counts_everything(program: Path, tmp_path: Path) -> None:
    done = boosted(*RANKS, program, tmp_path, "7", "8", WEIR_BOOST="never")
    told = re.search(
        r"weir boost: 0 collective calls taken over, (\d+) left to MPI \(\1 as asked\)", done.stderr
    )
    assert told, done.stderr
    assert int(told[1]) > 0


def test_a_word_that_is_not_known_is_told_once(program: Path, tmp_path: Path) -> None:
    done = boosted(*RANKS, program, tmp_path, "7", "8", WEIR_BOOST="alway")
    assert done.returncode == 0
    assert done.stderr.count("WEIR_BOOST has the unknown word 'alway'") == 1


def compared(*words: str | Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """How `weir boost --compare` ended."""
    given = {**ENVIRONMENT, **environment}
    verb = [sys.executable, "-m", "weir.cli.main", "boost", "--compare", *words]
    return subprocess.run(verb, capture_output=True, text=True, check=False, env=given, timeout=300)


def test_runs_without_and_boosted_are_compared(program: Path, tmp_path: Path) -> None:
    words = ("--json", "--repetitions", "1", "--", *RANKS, program, tmp_path, "7", "9")
    done = compared(*words, WEIR_BOOST="always")
    assert done.returncode in (0, 5), done.stderr  # nothing taken over of so few would be 0
    (pair,) = json.loads(done.stdout)["pairs"]
    (without,), (with_it,) = pair["without"]["launches"], pair["boosted"]["launches"]
    assert (without["calls"]["taken"], with_it["calls"]["as_asked"]) == (0, 0)
    assert sum(without["calls"].values()) == sum(with_it["calls"].values()) > 0
    assert with_it["calls"]["taken"] > 0
    assert "[2/2] boosted: " in done.stderr


def test_the_code_tells_the_verdict_even_if_nobody_reads_it(program: Path, tmp_path: Path) -> None:
    words = ("--repetitions", "1", "--", *RANKS, program, tmp_path, "7", "9")
    verb = [sys.executable, "-m", "weir.cli.main", "boost", "--compare", *words]
    reads, writes = os.pipe()
    os.close(reads)
    done = subprocess.run(
        verb, stdout=writes, stderr=subprocess.PIPE, text=True, check=False, env=ENVIRONMENT, timeout=300
    )
    os.close(writes)
    assert done.returncode == 5, done.stderr  # of one pair nothing is known
    assert "[2/2] boosted: " in done.stderr


def test_a_program_that_fails_is_told_with_its_last_words() -> None:
    done = compared("--", "sh", "-c", "echo out; echo no >&2; exit 7")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith(
        "out\nno\nweir: run 1 of 22, without, failed (the program ended with exit code 7)"
    )


def test_options_of_a_comparison_need_it() -> None:
    words = [sys.executable, "-m", "weir.cli.main", "boost", "--repetitions", "3", "--", "true"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=ENVIRONMENT, timeout=60)
    assert done.returncode == 2
    assert "--repetitions needs --compare" in done.stderr


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
