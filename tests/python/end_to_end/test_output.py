"""Results that nobody can read were not measured: a standard output that fails is a failure."""

import os
import subprocess
from pathlib import Path

import pytest

from .real_core import core_command, names_in, storage, write_cases


@pytest.mark.parametrize(
    "arguments", [("storage", "--dir", "store", "--block", "1MiB"), ("schema",), ("cases.json",)]
)
def test_a_full_standard_output_is_no_success(place: Path, arguments: tuple[str, ...]) -> None:
    write_cases(storage("one"))
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("there is no /dev/full")
    with full.open("w") as out:
        command = core_command(*arguments)
        done = subprocess.run(
            command.argv, stdout=out, stderr=subprocess.PIPE, text=True, timeout=30, check=False
        )
    assert done.returncode not in (0, 2)
    assert "No space left on device" in done.stderr
    assert names_in("store") == []


def test_a_reader_that_goes_away_leaves_no_file(place: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = core_command("storage", "--dir", "store", "--block", "1MiB")
    done = subprocess.run(
        command.argv, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=30, check=False
    )
    os.close(writing)
    assert done.returncode > 0  # and no signal
    assert "Broken pipe" in done.stderr
    assert names_in("store") == []
