"""`weir export` from the outside."""

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest

from export.runs import write_small_run
from verbs import WEIR
from weir.store.run_directory import RunDirectory


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunDirectory:
    monkeypatch.chdir(tmp_path)
    return write_small_run(tmp_path / "RUN")


def export(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*WEIR, "export", *arguments], capture_output=True, timeout=60, check=False)


def test_text_goes_to_standard_output_and_files_appear_whole(run: RunDirectory) -> None:
    printed = export("RUN", "--format", "csv")
    assert printed.returncode == 0 and printed.stderr == b""
    assert export("RUN", "--format", "csv", "-o", "x.csv").stdout == b""
    assert Path("x.csv").read_bytes() == printed.stdout
    assert sorted(path.name for path in Path().iterdir()) == ["RUN", "x.csv"]


def test_parquet_goes_into_a_pipe_but_not_on_a_terminal(run: RunDirectory) -> None:
    assert export("RUN", "--format", "parquet").stdout.startswith(b"PAR1")
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [*WEIR, "export", "RUN", "--format", "parquet"], stdout=theirs, stderr=subprocess.PIPE, check=False
    )
    os.close(ours)
    os.close(theirs)
    assert done.returncode == 2 and b"standard output is a terminal" in done.stderr


def test_a_damaged_tail_is_left_out_and_said(run: RunDirectory) -> None:
    whole = export("RUN", "--format", "csv").stdout
    with run.samples_path.open("a") as file:
        file.write('{"kind":"sam')
    done = export("RUN", "--format", "csv")
    assert done.returncode == 0 and done.stdout == whole
    assert b"line 14 of samples.jsonl is left out, since it cannot be read" in done.stderr


def test_an_empty_table_is_said(run: RunDirectory) -> None:
    run.samples_path.write_text("")
    done = export("RUN", "--format", "csv", "--table", "histogram")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 1
    assert b"no sample has latencies" in done.stderr


def test_json_says_what_was_written(run: RunDirectory) -> None:
    said = json.loads(export("RUN", "--format", "csv", "--table", "cases", "-o", "x.csv", "--json").stdout)
    assert (said["file"], said["table"], said["rows"]) == ("x.csv", "cases", 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("RUN", "--format", "xml"), "there is no format 'xml'. Use one of: csv,"),
        (("RUN", "--format", "csv", "--table", "x"), "there is no table 'x'. Use one of: cases,"),
        (("RUN/..", "--format", "csv"), "is not a run (it has no run.json)"),
        (("nowhere", "--format", "csv"), "is not a run (there is no such folder)"),
        (("RUN", "--format", "csv", "-o", "no/where.csv"), "cannot write 'no/where.csv' (No such file"),
        (("RUN", "--format", "csv", "-o", "RUN"), "cannot write 'RUN' (Is a directory)"),
        (("RUN", "--format", "csv", "-o", "/dev/full"), "No space left on device"),
        (("RUN", "--format", "csv", "--json"), "both want standard output"),
    ],
)
def test_what_cannot_be_is_one_clear_message(
    run: RunDirectory, arguments: tuple[str, ...], message: str
) -> None:
    done = export(*arguments)
    assert done.returncode == 2
    assert message in done.stderr.decode() and len(done.stderr.splitlines()) == 1
    assert sorted(path.name for path in Path().iterdir()) == ["RUN"]
