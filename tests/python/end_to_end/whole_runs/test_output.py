"""Results that nobody can read were not measured: a standard output that fails is a failure."""

import json
import os
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ..real_core import core_command, storage, write_cases

EXPANDED = ("expand", "pattern.json")


def write_pattern(pieces: int) -> None:
    """A pattern of one rank that writes so many pieces."""
    extent = {"start": 0, "levels": [{"count": pieces, "stride": 8}], "length": 8}
    access = {
        "verb": "write",
        "file": 0,
        "ranks": {"first": 0, "count": 1, "step": 1},
        "rank_levels": [],
        "extent": extent,
        "order": {"kind": "sequential"},
        "sync_each": False,
    }
    steps = [{"open": {"file": 0, "mode": "create"}}, {"access": access}, {"close": {"file": 0}}]
    phase = {
        "name": "write",
        "collective": False,
        "reorder": {"kind": "none"},
        "time_limit_s": 0,
        "wear_out": False,
        "limited_by": "",
        "steps": steps,
    }
    pattern = {
        "weir_pattern": 1,
        "name": "p",
        "ranks": 1,
        "files": [{"name": "f", "per_rank": False}],
        "phases": [phase],
    }
    Path("pattern.json").write_text(json.dumps(pattern))


def said_by(*arguments: str, out: Any = subprocess.PIPE) -> "subprocess.CompletedProcess[str]":
    """How a weir-core ended whose standard output is `out`, and what it said."""
    argv = core_command(*arguments).argv
    return subprocess.run(argv, stdout=out, stderr=subprocess.PIPE, text=True, timeout=30, check=False)


def said_to_nobody(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """The same where nobody reads its standard output."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing) as out:
        return said_by(*arguments, out=out)


@pytest.mark.parametrize(
    "arguments",
    [
        ("storage", "--dir", "store", "--block", "1MiB"),
        ("schema",),
        ("cases.json",),
        ("--help",),
        ("--version",),
        ("storage", "--help"),
        ("machine",),
        ("describe", "cases.json"),
        EXPANDED,
        ("prepare", "pattern.json"),
        ("storage", "--dir", "missing"),
    ],
)
def test_a_full_standard_output_is_no_success(place: Path, arguments: tuple[str, ...]) -> None:
    write_cases(storage("one"))
    write_pattern(3)
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("there is no /dev/full")
    with full.open("w") as out:
        done = said_by(*arguments, out=out)
    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert "internal error" not in done.stderr
    assert "interrupted" not in done.stderr, "nobody has"
    assert list(Path("store").iterdir()) == []


def test_a_reader_that_goes_away_leaves_no_file(place: Path) -> None:
    done = said_to_nobody("storage", "--dir", "store", "--block", "1MiB")
    assert done.returncode == 2
    assert "Broken pipe" in done.stderr
    assert list(Path("store").iterdir()) == []


@pytest.mark.parametrize("arguments", [("schema",), ("--help",), EXPANDED, ("prepare", "pattern.json")])
def test_a_document_whose_reader_has_seen_enough_is_no_failure(
    place: Path, arguments: tuple[str, ...]
) -> None:
    write_pattern(3)
    done = said_to_nobody(*arguments)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_failure_is_one_without_a_reader_too(place: Path) -> None:
    for arguments in (("expand", "missing.json"), ("describe", "missing.json")):
        done = said_to_nobody(*arguments)
        assert done.returncode == 2
        assert "missing.json" in done.stderr


def test_an_expansion_ends_with_its_reader(place: Path) -> None:
    write_pattern(1_000_000_000_000)
    done = said_to_nobody(*EXPANDED)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("arguments", [("schema",), ("--version",), EXPANDED, ("cases.json",)])
def test_closed_streams_are_told_and_get_nothing_of_other_files(
    place: Path, arguments: tuple[str, ...]
) -> None:
    """The numbers of closed streams would be those of the next files and connections."""
    write_cases(storage("one"))
    write_pattern(3)
    program = shlex.join(core_command(*arguments).argv)
    said = subprocess.run(
        ["sh", "-c", f"{program} >&- <&-"], capture_output=True, text=True, timeout=30, check=False
    )
    assert said.returncode == 2
    assert "standard output (Bad file descriptor)" in said.stderr
    silent = subprocess.run(["sh", "-c", f"{program} >&- 2>&- <&-"], timeout=30, check=False)
    assert silent.returncode == 2
    assert list(Path("store").iterdir()) == []


def test_a_directory_whose_name_is_no_utf8_is_refused(place: Path) -> None:
    done = said_by("storage", "--dir", os.fsdecode(b"store\xff"), "--block", "1MiB")
    assert done.returncode == 2
    assert r"'store\xff' cannot be written down" in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("storage", "--trasnfer", "64KiB"),
            "there is no option '--trasnfer' of `weir-core storage`. Did you mean '--transfer'?",
        ),
        (("storage", "--no-wriet"), "Did you mean '--no-write'?"),
        (("--verison",), "there is no option '--verison' of `weir-core`. Did you mean '--version'?"),
        (("expand", "p.json", "--rnak=1"), "Did you mean '--rank'?"),
        (("storage", "--xyz"), "`weir-core storage --help` lists its options."),
    ],
)
def test_a_misspelt_option_is_told_with_what_was_meant(
    place: Path, words: tuple[str, ...], told: str
) -> None:
    done = said_by(*words)
    assert done.returncode == 2 and told in done.stderr
