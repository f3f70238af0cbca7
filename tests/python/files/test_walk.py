from pathlib import Path

import pytest

from others import give_away, needs_root
from weir.errors import WeirError
from weir.files.passing import passing_folder
from weir.files.permission import permitted
from weir.files.walk import folder, make_own_folder, real_path


def test_a_folder_is_made_with_those_above_it(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b"
    assert make_own_folder(path)
    assert not make_own_folder(path)
    assert path.stat().st_mode & 0o777 == 0o700


def test_ones_own_link_may_stand_for_a_folder_but_not_for_a_file(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "latest").symlink_to("real")
    assert not make_own_folder(tmp_path / "latest")
    (tmp_path / "file").touch()
    (tmp_path / "wrong").symlink_to("file")
    for name in ("file", "wrong"):
        with pytest.raises(NotADirectoryError):
            make_own_folder(tmp_path / name)


@needs_root
def test_a_strangers_folder_or_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "mine").mkdir()
    (tmp_path / "link").symlink_to("mine")
    give_away(tmp_path / "theirs", tmp_path / "link")
    for name in ("theirs", "link", "link/new"):
        with permitted(), pytest.raises(WeirError, match="--foreign-folder"):
            make_own_folder(tmp_path / name)
    with permitted(foreign=True):
        make_own_folder(tmp_path / "theirs")
        make_own_folder(tmp_path / "link" / "new")
    assert make_own_folder(tmp_path / "theirs" / "new"), "a new folder is the caller's wherever it is"


@pytest.mark.parametrize("name", ["link/new", "real/../real"])
def test_where_nothing_is_followed_there_is_one_way_only(tmp_path: Path, name: str) -> None:
    (tmp_path / "real" / "new").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    with pytest.raises(WeirError), folder(tmp_path.resolve() / name, follow=False):
        pass
    with folder(tmp_path / name):
        pass


def test_a_machine_without_proc_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: Path) -> Path:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(Path, "readlink", missing)
    with pytest.raises(WeirError, match="/proc is not mounted"):
        real_path(tmp_path)
    with pytest.raises(WeirError, match="/proc is not mounted"), passing_folder(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []
