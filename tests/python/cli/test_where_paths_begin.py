"""Paths that look like options, and relative ones where the current directory is gone."""

import os
from pathlib import Path

import pytest

from damage.verbs import speak
from running import ended
from verbs import WEIR
from weir.cli._app import _no_option


def test_a_path_that_looks_like_an_option_is_a_whole_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert _no_option(Path("./-dash/p.json")) == tmp_path / "-dash/p.json"
    assert _no_option([Path("-a"), Path("b")]) == [tmp_path / "-a", Path("b")]
    for kept in (Path("-"), Path("a/-b"), Path(), "-x", 3, None, [Path("c")]):
        assert _no_option(kept) == kept


def test_weir_core_reads_a_pattern_in_a_folder_whose_name_begins_with_a_dash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-dash").mkdir()
    Path("-dash/p.json").write_text("{}")
    code, said = speak("predict", "./-dash/p.json", "--parameters", seconds=30)
    assert code == 2 and "'weir_pattern' is missing in the pattern" in said, said


@pytest.mark.parametrize("words", [("run", "quick"), ("plan", "quick"), ("trace", "--", "true")])
def test_a_current_directory_that_is_gone_is_no_defect(tmp_path: Path, words: tuple[str, ...]) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()

    def leave() -> None:
        os.chdir(gone)
        gone.rmdir()

    done = ended(*WEIR, *words, preexec_fn=leave)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("weir: the current directory is not there any more"), done.stderr
