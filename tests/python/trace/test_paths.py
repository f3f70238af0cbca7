"""What files are chosen by, and the nearest folder of which something is known."""

from pathlib import Path

import pytest

from weir.trace.paths import nearest, whole_prefix


@pytest.mark.parametrize(
    ("text", "whole"),
    [("in", "/in"), ("in/", "/in/"), ("./in//", "/in/"), ("in/../out/", "/out/"), (".", "")],
)
def test_a_slash_at_the_end_stays(
    text: str, whole: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert whole_prefix(text) == f"{tmp_path}{whole}"


def test_the_root_has_one_slash() -> None:
    assert whole_prefix("/") == "/"


def test_the_nearest_folder_above_counts_and_is_kept() -> None:
    found: dict[str, int] = {}
    known = {"/": 1, "/a/b": 2}
    asked = ("/a/b/c/d", "/a/b", "/a", "/", "/x/y")
    assert [nearest(folder, known, found) for folder in asked] == [2, 2, 1, 1, 1]
    assert found["/a/b/c/d"] == 2
    assert nearest("/a", {}, {}) is None and nearest("", known, {}) is None
