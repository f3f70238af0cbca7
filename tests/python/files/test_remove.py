import os
from pathlib import Path

from weir.files.walk import empty_folder, remove_entry


def test_links_are_removed_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "deep").mkdir(parents=True)
    (outside / "deep" / "precious").touch()
    inside = tmp_path / "inside"
    (inside / "a" / "b").mkdir(parents=True)
    (inside / "a" / "file").touch()
    (inside / "marker").touch()
    os.mkfifo(inside / "a" / "pipe")
    (inside / "way").symlink_to(outside)
    (inside / "a" / "b" / "up").symlink_to("../../../outside/deep")
    descriptor = os.open(inside, os.O_PATH)
    empty_folder(descriptor, "marker")
    os.close(descriptor)
    assert [path.name for path in inside.iterdir()] == ["marker"]
    assert (outside / "deep" / "precious").exists()


def test_an_entry_of_any_kind_is_removed(tmp_path: Path) -> None:
    (tmp_path / "folder" / "in").mkdir(parents=True)
    (tmp_path / "link").symlink_to("folder")
    (tmp_path / "file").touch()
    descriptor = os.open(tmp_path, os.O_PATH)
    for name in ("link", "folder", "file", "none"):
        remove_entry(descriptor, name)
    os.close(descriptor)
    assert list(tmp_path.iterdir()) == []
