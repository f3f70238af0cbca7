"""What files are chosen by."""

from pathlib import Path

import pytest

from weir.trace.prefix import whole_prefix


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
