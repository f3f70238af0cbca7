from pathlib import Path

import pytest

from weir.drive.scratch import Scratch, check_directory, remove_tree, scratch_name
from weir.errors import WeirError
from weir.study.case import Case

CASE = Case(id="c1", benchmark="b", ranks=1, env={}, options={"dir": None})


def test_made_before_and_removed_after_whatever_happens(tmp_path: Path) -> None:
    path = tmp_path / "weir-x"
    with pytest.raises(KeyboardInterrupt), Scratch({None: path}, keep=False) as scratch:
        assert scratch.directory_of(CASE) == str(path)
        (path / "data").touch()
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_run_left_is_removed_first(tmp_path: Path) -> None:
    path = tmp_path / "weir-x"
    (path / "deep").mkdir(parents=True)
    with Scratch({None: path}, keep=False) as scratch:
        assert scratch.stale == [path]
        assert list(path.iterdir()) == []


def test_a_crash_is_cleaned_up_after(tmp_path: Path) -> None:
    path = tmp_path / "weir-x"
    with Scratch({None: path}, keep=False) as scratch:
        (path / "data").touch()
        scratch.empty()
        assert list(path.iterdir()) == []


def test_kept_files_have_a_folder_a_case_made_anew_each_launch(tmp_path: Path) -> None:
    path = tmp_path / "weir-x"
    with Scratch({None: path}, keep=True) as scratch:
        for content in ("first", "second"):
            scratch.prepare([CASE])
            file = Path(scratch.directory_of(CASE) or "") / "data"
            assert not file.exists()
            file.write_text(content)
        scratch.empty()
    assert (path / "c1" / "data").read_text() == "second"


def test_one_that_cannot_be_made_takes_the_others_back(tmp_path: Path) -> None:
    paths = {"a": tmp_path / "weir-x", "b": tmp_path / "none" / "weir-x"}
    with pytest.raises(WeirError, match="cannot make"), Scratch(paths, keep=False):
        pass
    assert list(tmp_path.iterdir()) == []


def test_directories_that_will_not_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(WeirError, match=r"does not exist.*mkdir -p"):
        check_directory(tmp_path / "none")
    with pytest.raises(WeirError, match="not a directory"):
        check_directory(tmp_path / "file")
    check_directory(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_names_are_weirs_and_never_the_same(tmp_path: Path) -> None:
    names = {scratch_name("run", tmp_path) for _ in range(20)}
    assert len(names) == 20 and all(name.startswith("weir-run-") for name in names)
    remove_tree(tmp_path / "not there")
