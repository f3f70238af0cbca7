"""Results that nobody can read were not measured: a standard output that fails is a failure."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ..real_core import core_command, storage, write_cases


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
    ],
)
def test_a_full_standard_output_is_no_success(place: Path, arguments: tuple[str, ...]) -> None:
    write_cases(storage("one"))
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


def test_a_document_whose_reader_has_seen_enough_is_no_failure(place: Path) -> None:
    done = said_to_nobody("schema")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_directory_whose_name_is_no_utf8_is_refused(place: Path) -> None:
    done = said_by("storage", "--dir", os.fsdecode(b"store\xff"), "--block", "1MiB")
    assert done.returncode == 2
    assert r"'store\xff' cannot be written down" in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("storage", "--trasnfer", "64KiB"),
            "there is no option '--trasnfer' of `weir-core storage` Did you mean '--transfer'?",
        ),
        (("storage", "--no-wriet"), "Did you mean '--no-write'?"),
        (("--verison",), "there is no option '--verison' of `weir-core` Did you mean '--version'?"),
        (("expand", "p.json", "--rnak=1"), "Did you mean '--rank'?"),
        (("storage", "--xyz"), "`weir-core storage --help` lists its options."),
    ],
)
def test_a_misspelt_option_is_told_with_what_was_meant(
    place: Path, words: tuple[str, ...], told: str
) -> None:
    done = said_by(*words)
    assert done.returncode == 2 and told in done.stderr
