"""The runs below a folder, and the last of them."""

from pathlib import Path

import pytest

from weir.errors import WeirError
from weir.store.run_directory import RunDirectory, RunInfo, StudyWords
from weir.store.runs_here import latest_run, runs_here


def make_run(path: Path, created_at: str) -> None:
    run = RunDirectory(path)
    run.prepare()
    words = StudyWords(name="quick", title="A look")
    run.create(RunInfo(weir_version="0", created_at=created_at, command=[], study=words, directory=None), "")


def test_the_last_one_is_the_first_whatever_it_is_called(tmp_path: Path) -> None:
    make_run(tmp_path / "a", "2026-02-01T00:00:00Z")
    make_run(tmp_path / "z", "2026-01-01T00:00:00Z")
    (tmp_path / "other").mkdir()
    (tmp_path / "file").write_text("")
    assert [(run.path.name, run.title) for run in runs_here(tmp_path)] == [("a", "A look"), ("z", "A look")]
    assert latest_run(tmp_path) == tmp_path / "a"


@pytest.mark.parametrize("folder", ["", "missing"])
def test_without_a_run_one_is_told_how_to_get_one(tmp_path: Path, folder: str) -> None:
    assert runs_here(tmp_path / folder) == []
    with pytest.raises(WeirError, match="there is no run"):
        latest_run(tmp_path / folder)
