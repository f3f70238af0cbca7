from pathlib import Path

import pytest

from weir.errors import WeirError
from weir.files.scratch_marker import MARKER, MarkedFolder
from weir.measure.scratch_directory import Scratch, check_directory, scratch_name
from weir.study.case import Case

CASE = Case(id="c1", benchmark="b", ranks=1, env={}, options={"dir": None})
NAME = "weir-x-01234567"
MARK = "mark"


def files_in(path: Path) -> list[str]:
    return sorted(one.name for one in path.iterdir() if one.name != MARKER)


def test_made_before_and_removed_after_whatever_happens(tmp_path: Path) -> None:
    path = tmp_path / NAME
    with pytest.raises(KeyboardInterrupt), Scratch({None: path}, keep=False, mark=MARK) as scratch:
        assert scratch.directory_of(CASE) == str(path)
        (path / "data").touch()
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_run_left_is_removed_first(tmp_path: Path) -> None:
    path = tmp_path.resolve() / NAME
    MarkedFolder.make(path, MARK)
    (path / "deep").mkdir()
    with Scratch({None: path}, keep=False, mark=MARK) as scratch:
        assert scratch.stale == [path]
        assert files_in(path) == []


@pytest.mark.parametrize("keep", [True, False])
def test_what_is_not_known_as_this_runs_own_is_left_alone(tmp_path: Path, keep: bool) -> None:
    (tmp_path / NAME).mkdir()
    (tmp_path / NAME / "precious").touch()
    paths = {"a": tmp_path / "weir-x-00000000", "b": tmp_path / NAME}
    with pytest.raises(WeirError, match="left alone"), Scratch(paths, keep=keep, mark=MARK):
        pass
    assert (tmp_path / NAME / "precious").exists()
    assert keep or [one.name for one in tmp_path.iterdir()] == [NAME]


@pytest.mark.parametrize("run", ["a b", "a\nb", "\n", "a'\"\\"])
def test_whatever_a_run_is_called_its_directory_is_weirs(tmp_path: Path, run: str) -> None:
    with Scratch({None: tmp_path / scratch_name(run)}, keep=False, mark=MARK) as scratch:
        assert scratch.directory_of(CASE) is not None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["..", ".", "precious", "weir-x", "weir-x-0123456g", "weir-x-01234567/.."])
def test_a_name_that_weir_does_not_draw_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "precious").mkdir()
    with pytest.raises(WeirError, match="no scratch directory"):
        Scratch({None: tmp_path / "precious" / name}, keep=False, mark=MARK).__enter__()
    assert (tmp_path / "precious").exists()


def test_a_crash_is_cleaned_up_after(tmp_path: Path) -> None:
    path = tmp_path / NAME
    with Scratch({None: path}, keep=False, mark=MARK) as scratch:
        (path / "data").touch()
        scratch.empty()
        assert files_in(path) == []


def test_kept_files_have_a_folder_a_case_made_anew_each_launch(tmp_path: Path) -> None:
    path = tmp_path / NAME
    with Scratch({None: path}, keep=True, mark=MARK) as scratch:
        for content in ("first", "second"):
            scratch.prepare([CASE])
            file = Path(scratch.directory_of(CASE) or "") / "data"
            assert not file.exists()
            file.write_text(content)
        scratch.empty()
    assert (path / "c1" / "data").read_text() == "second"


def test_one_that_cannot_be_made_takes_the_others_back(tmp_path: Path) -> None:
    paths = {"a": tmp_path / NAME, "b": tmp_path / "none" / NAME}
    with pytest.raises(WeirError, match="cannot make"), Scratch(paths, keep=False, mark=MARK):
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


def test_names_are_weirs_and_never_the_same() -> None:
    names = {scratch_name("run") for _ in range(20)}
    assert len(names) == 20 and all(name.startswith("weir-run-") for name in names)
