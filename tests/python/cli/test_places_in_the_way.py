"""Folders where a file is to be written, and no folder for temporary files: told, and no defect of Weir."""

import tempfile
from pathlib import Path
from trace.synthetic import rows_of_rank, write_trace

import pytest

from fakes import study_text
from verbs import weir_here as weir


@pytest.fixture(autouse=True)
def _place(place: Path) -> None:
    for name in ("taken", "names.names.csv"):
        (place / name).mkdir()
    assert weir("workload", "gtc", "--out", "p.json").exit_code == 0


WRITERS = [
    ["workload", "gtc", "--out", "taken"],
    ["predict", "p.json", "--parameters", "-o", "taken"],
    ["pattern", "T", "--out", "taken"],
    ["pattern", "T", "--out", "names.json"],
    ["explain", "T", "--page", "taken"],
    ["export", "T", "--format", "csv", "--out", "taken/x/y"],
]


@pytest.mark.parametrize("words", WRITERS, ids=" ".join)
def test_a_folder_in_the_place_of_a_file(words: list[str], place: Path) -> None:
    write_trace(place / "T", {0: rows_of_rank(0), 1: rows_of_rank(1)})
    done = weir(*words)
    assert done.exit_code == 2 and "internal error" not in done.output, done.output


def test_no_folder_for_temporary_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: ["/nowhere", "/neither"])
    Path("small.toml").write_text(study_text())
    done = weir("plan", "small.toml", "--dir", "store")
    assert done.exit_code == 2, done.output
    assert (
        "there is no temporary directory (none of these can be written to: '/nowhere', '/neither')"
        in done.output
    )
    assert "name another in TMPDIR" in done.output
