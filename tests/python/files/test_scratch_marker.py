import os
from pathlib import Path

import pytest

from others import give_away, needs_root
from weir.errors import WeirError
from weir.files.scratch_marker import MARKER, MarkedFolder, draw_mark

MARK = "0123456789abcdef"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path.resolve() / "weir-x"


def assert_left_alone(path: Path, mark: str = MARK, why: str = "left alone") -> None:
    with pytest.raises(WeirError, match=why):
        MarkedFolder.recognise(path, mark)


def test_what_was_made_is_recognised_by_its_mark(path: Path, tmp_path: Path) -> None:
    MarkedFolder.make(path, MARK)
    (path / "data").mkdir()
    found = MarkedFolder.recognise(path, MARK)
    found.empty()
    assert [one.name for one in path.iterdir()] == [MARKER]
    found.remove()
    found.remove()
    assert list(tmp_path.iterdir()) == []
    assert draw_mark() != draw_mark()


@pytest.mark.parametrize("mark", ["", "fedcba9876543210"])
def test_another_runs_directory_is_left_alone(path: Path, mark: str) -> None:
    MarkedFolder.make(path, "")
    assert_left_alone(path, mark)


@pytest.mark.parametrize("marker", ["link", "pipe", "none", "long", "no JSON"])
def test_a_directory_without_a_marker_is_left_alone(path: Path, tmp_path: Path, marker: str) -> None:
    MarkedFolder.make(path, MARK)
    good = (path / MARKER).rename(tmp_path / "good")
    match marker:
        case "link":
            (path / MARKER).symlink_to(good)
        case "pipe":
            os.mkfifo(path / MARKER)
        case "long":
            (path / MARKER).write_bytes(b" " * 2000 + good.read_bytes())
        case "no JSON":
            (path / MARKER).write_text(MARK)
    assert_left_alone(path)


def test_a_link_to_the_directory_or_on_the_way_is_not_it(tmp_path: Path) -> None:
    top = tmp_path.resolve()
    (top / "real").mkdir()
    MarkedFolder.make(top / "real" / "weir-x", MARK)
    (top / "way").symlink_to("real")
    (top / "weir-x").symlink_to("real/weir-x")
    for path in (top / "weir-x", top / "way" / "weir-x", top / "real" / ".." / "real" / "weir-x"):
        assert_left_alone(path, why="link")


def test_what_has_taken_its_place_is_left_alone(path: Path, tmp_path: Path) -> None:
    made = MarkedFolder.make(path, MARK)
    path.rename(tmp_path / "aside")
    path.mkdir()
    (path / "precious").touch()
    with pytest.raises(WeirError, match="taken its place"):
        made.remove()
    assert (path / "precious").exists()


@needs_root
def test_another_users_directory_is_left_alone(path: Path) -> None:
    MarkedFolder.make(path, MARK)
    give_away(path / MARKER)
    assert_left_alone(path)
    os.chown(path / MARKER, 0, 0)
    os.chown(path, 65534, 65534)
    assert_left_alone(path, why="belongs to user")
