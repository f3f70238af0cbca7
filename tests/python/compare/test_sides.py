"""Sides: what counts as a run of theirs."""

import shutil
from pathlib import Path

import pytest

from weir.compare.comparison import Rules, compare
from weir.compare.first_screen import first_screen
from weir.compare.levels import readable
from weir.compare.sides import apart_from_each_other, side_of
from weir.errors import WeirError

from .runs import change_info, run


def test_a_copy_of_a_run_is_none(tmp_path: Path) -> None:
    run(tmp_path / "x" / "a"), run(tmp_path / "x" / "b", day=21)
    shutil.copytree(tmp_path / "x" / "a", tmp_path / "x" / "copy")
    assert len(side_of(tmp_path / "x").runs) == 2


def test_a_run_that_is_a_side_of_its_own_counts_in_no_folder(tmp_path: Path) -> None:
    run(tmp_path / "x" / "a"), run(tmp_path / "x" / "b", day=21)
    folder, alone = apart_from_each_other([tmp_path / "x", tmp_path / "x" / "b"])
    assert len(folder.runs) == 1 and alone.last.made not in {one.made for one in folder.runs}


def test_runs_of_a_folder_that_cannot_be_read_are_counted(tmp_path: Path) -> None:
    for day, name in enumerate("abcd", 20):
        run(tmp_path / "x" / name, day=day)
    (tmp_path / "x" / "b" / "run.json").write_text("{")
    change_info(tmp_path / "x" / "c", schema=99)
    (tmp_path / "x" / "plain").mkdir()
    folder = side_of(tmp_path / "x")
    assert (len(folder.runs), folder.lost) == (2, 2)
    screen = first_screen(compare([side_of(tmp_path / "x" / "a"), folder], Rules()))
    assert [(one.count, one.of) for one in screen.caveats if one.code == "lost-of"] == [(2, 4)]


def test_a_run_is_not_compared_with_itself(tmp_path: Path) -> None:
    with pytest.raises(WeirError, match="named twice"):
        apart_from_each_other([run(tmp_path / "a"), tmp_path / "b" / ".." / "a"])


def test_a_name_that_steers_a_terminal_is_escaped(tmp_path: Path) -> None:
    assert side_of(run(tmp_path / "esc\x1b[31m")).name == r"esc\x1b[31m"


def test_many_runs_are_read_as_few_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [run(tmp_path / name, day=day) for day, name in enumerate("abc", 20)]
    (tmp_path / "b" / "run.json").write_text("{")
    alone = readable(paths)
    monkeypatch.setattr("weir.compare.levels.MANY", 2)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1})
    shared = readable(paths)
    assert (alone[0], alone[2]) == (shared[0], shared[2]) and alone[2] == [tmp_path / "b"]
