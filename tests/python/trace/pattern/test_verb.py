"""`weir pattern`, as a user runs it, on folders as the recorder writes them."""

import csv
import json
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from verbs import weir_here
from weir.errors import ExitCode
from weir.trace.names import File
from weir.trace.pattern.operations.calls import files_below
from weir.trace.pattern.recognise import Recognised
from weir.trace.pattern.write import _write_names

from ..test_load import write_process

run = partial(weir_here, "pattern")


def test_a_trace_becomes_a_pattern_and_a_table_of_names(tmp_path: Path) -> None:
    for rank in range(2):
        write_process(tmp_path, rank + 1, rank, [(10 * i, 10 * i + 4, 100 * i, 8, 1) for i in range(50)])
    out = tmp_path / "P.json"
    told = run(tmp_path, "-o", out)
    assert told.exit_code == ExitCode.FINE
    said = told.output.replace("data", "file")
    assert "each rank writes 50 requests of 8 B, 100 B apart, in its file" in said
    pattern = json.loads(out.read_text())
    assert [next(iter(step)) for step in pattern["phases"][0]["steps"]] == ["open", "access", "close"]
    assert (tmp_path / "P.names.csv").read_text().splitlines()[1:] == ["0,file,0,/data/1", "0,file,1,/data/2"]
    answer = json.loads(run(tmp_path, "-o", out, "--json").output)
    assert (answer["operations"], answer["phases"][0]["steps"], answer["files"]) == (104, 3, 1)


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("=cmd|' /C calc'!A1", "'=cmd|' /C calc'!A1"),
        ("+1", "'+1"),
        ("\x1b[31m\u202e", "\\x1b[31m\\u202e"),
        ("a\nb", "a\\nb"),
        ("\udcff", "\\xff"),
    ],
)
def test_names_in_the_table_are_text_for_terminals_and_spreadsheets(
    name: str, cell: str, tmp_path: Path
) -> None:
    found = SimpleNamespace(files=[SimpleNamespace(name=name, originals=[(0, name), (1, name)])])
    _write_names(cast("Recognised", found), tmp_path / "names.csv")
    with (tmp_path / "names.csv").open(newline="") as table:
        assert list(csv.reader(table))[1:] == [["0", cell, "0", cell], ["0", cell, "1", cell]]


def test_a_trace_without_such_calls_is_nothing_to_do(tmp_path: Path) -> None:
    write_process(tmp_path, 1, 0, [(0, 4, 0, 8, 1)])
    told = run(tmp_path, "-o", tmp_path / "P.json", "--interface", "mpi-io")
    assert told.exit_code == ExitCode.NOTHING_SELECTED
    assert "no calls of mpi-io" in told.output and not (tmp_path / "P.json").exists()


def test_wrong_use_is_said_before_the_trace_is_read(tmp_path: Path) -> None:
    assert run(tmp_path, "-o", tmp_path / "no" / "P.json").exit_code == ExitCode.USAGE
    assert "there is no directory" in run(tmp_path, "-o", tmp_path / "no" / "P.json").output
    write_process(tmp_path, 1, 0, [(0, 4, 0, 8, 1)])
    for wrong in (("--gaps", "3"), ("--interface", "hdf5")):
        told = run(tmp_path, "-o", tmp_path / "P.json", *wrong)
        assert told.exit_code == ExitCode.USAGE and "weir: " in told.output


def test_only_chosen_files_become_a_pattern(tmp_path: Path) -> None:
    for rank in range(2):
        write_process(tmp_path, rank + 1, rank, [(10 * i, 10 * i + 4, 100 * i, 8, 1) for i in range(50)])
    out = tmp_path / "P.json"
    answer = json.loads(run(tmp_path, "-o", out, "--only", "/data/2", "--only", "/else", "--json").output)
    assert (answer["operations"], answer["files"], answer["ranks"]) == (52, 1, 2)
    assert answer["left_out"]["calls on files that were not chosen (--only)"] == 50
    assert (tmp_path / "P.names.csv").read_text().splitlines()[1:] == ["0,2,,/data/2"]
    redacted = json.loads(run(tmp_path, "-o", out, "--only", "/data/2", "--redact", "--json").output)
    assert redacted["operations"] == 52
    told = run(tmp_path, "-o", out, "--only", "/data/3")
    assert told.exit_code == ExitCode.NOTHING_SELECTED
    assert "a file whose path begins with /data/3" in told.output


def test_datasets_of_chosen_files_are_chosen() -> None:
    files = [File("", 0), File("/a/x", 0), File("/b/x", 0), File("/temperature", 1), File("/a", 2)]
    assert files_below(files, ["/a"]).tolist() == [False, True, False, True, False]
