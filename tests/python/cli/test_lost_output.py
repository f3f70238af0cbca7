"""Output that cannot be written changes nothing of a run, and ends what only prints, without a traceback."""

import contextlib
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fakes import read_lines, study_text
from verbs import WEIR

RUN = ("run", "small.toml", "--out", "RUN", "--dir", "store")
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "PYTHONCOERCECLOCALE": "0"}


@pytest.fixture(name="place")
def _place(place: Path) -> Path:
    """With a study of a good case and a failing one."""
    Path("small.toml").write_text(study_text(axes='axes = { fake = ["fine", "fail"] }'))
    return place


def weir(*arguments: str, **streams: Any) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **streams.pop("env", {})}
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    return subprocess.run(
        [*WEIR, *arguments], text=True, timeout=120, check=False, env=env, encoding="utf-8", **streams
    )


@contextlib.contextmanager
def closed_pipe() -> Iterator[int]:
    """The end of a pipe whose reader has gone."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


def assert_quiet_with_its_reader(verb: tuple[str, ...]) -> None:
    with closed_pipe() as pipe:
        done = weir(*verb, stdout=pipe)
    assert (done.returncode, done.stderr) == (0, ""), verb


def told_of_a_full_disk(verb: tuple[str, ...], **env: str) -> str:
    """What the verb says where its output finds no room."""
    with Path("/dev/full").open("w") as full:
        done = weir(*verb, stdout=full, env=env)
    assert done.returncode == 2, verb
    assert done.stderr.startswith("weir: cannot write to standard output (No space left on device)")
    return done.stderr


def all_measured() -> bool:
    verdicts = [line["verdict"] for line in read_lines(Path("RUN"), "finished")]
    return sorted(verdicts) == ["failed", "precise"]


def log() -> str:
    return Path("RUN/logs/weir.log").read_text()


def test_a_reader_that_goes_away_changes_nothing_of_a_run(place: Path) -> None:
    """As with `weir run ... 2>&1 | head -1`: both streams break."""
    with closed_pipe() as pipe:
        done = weir(*RUN, stdout=pipe, stderr=pipe)
    assert done.returncode == 3 and all_measured()
    assert "results could not be printed (Broken pipe)" in log() and "standard error could not" in log()


def test_a_full_disk_behind_the_results_is_told_and_changes_nothing(place: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = weir(*RUN, stdout=full)
        assert done.returncode == 3 and all_measured()
        assert "results could not be printed (No space left on device)" in done.stderr
        assert "`weir show RUN`" in done.stderr and "No space left" in log()
        assert weir(*RUN, "--json", "--progress", "json", stdout=full, stderr=full).returncode == 3


def test_closed_streams_get_nothing_of_the_runs_files(place: Path) -> None:
    script = " ".join([*WEIR, *RUN, ">&-", "2>&-", "<&-"])
    assert subprocess.run(["sh", "-c", script], timeout=120, check=False).returncode == 3
    assert all_measured()
    assert all(line["schema"] in (1, 2) for line in read_lines(Path("RUN")))


def test_what_only_prints_ends_quietly_with_its_reader_and_loudly_on_a_full_disk(place: Path) -> None:
    weir(*RUN)
    for verb in (("show", "RUN"), ("show", "RUN", "--json"), ("list",), ("plan", "small.toml")):
        assert_quiet_with_its_reader(verb)
        assert len(told_of_a_full_disk(verb).splitlines()) == 1


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("asked", [("--version",), ("--help",), ("plan", "--help"), ("network", "--help")])
def test_help_that_cannot_be_written_is_told(unbuffered: str, asked: tuple[str, ...]) -> None:
    told_of_a_full_disk(asked, PYTHONUNBUFFERED=unbuffered)


def test_a_terminal_without_unicode_gets_the_nearest_letters(place: Path) -> None:
    title = (
        'title = "1 \N{MICRO SIGN}s \N{MULTIPLICATION SIGN} 2 \N{GREEK SMALL LETTER OMEGA}"\nbudget = "20s"'
    )
    Path("small.toml").write_text(study_text(budget=title), encoding="utf-8")
    done = weir(*RUN, env=ASCII)
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii() and done.stderr.isascii()
    assert "* Write  " in done.stdout or "~ Write  " in done.stdout or "o Write  " in done.stdout
    shown = weir("show", "--all", "RUN", env=ASCII).stdout
    assert r"1 us x 2 \u03c9" in shown and " ... " in shown
    for verb in (
        ("show", "RUN"),
        ("show", "--all", "RUN"),
        ("plan", "small.toml"),
        ("list",),
        ("doctor",),
        ("report", "RUN"),
    ):
        done = weir(*verb, env=ASCII)
        assert done.returncode == 0 and done.stdout.isascii(), done.stderr
    spelt = weir("show", "RUN", "--json").stdout.encode("ascii", "backslashreplace").decode()
    # JSON spells the short escapes of Python with four digits.
    assert weir("show", "RUN", "--json", env=ASCII).stdout == re.sub(r"\\x(..)", r"\\u00\1", spelt)


@pytest.mark.parametrize("form", ["csv", "openmetrics"])
def test_an_export_that_finds_no_room_is_told_without_a_traceback(place: Path, form: str) -> None:
    assert weir(*RUN).returncode == 3
    with Path("/dev/full").open("w") as full:
        done = weir("export", "RUN", "--format", form, stdout=full)
    assert done.returncode == 2
    assert "No space left on device" in done.stderr and "Traceback" not in done.stderr
    assert_quiet_with_its_reader(("export", "RUN", "--format", form))
