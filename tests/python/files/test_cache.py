"""The person's cache."""

from pathlib import Path

import pytest

from weir.files.cache import cache_folder, keep


def test_a_home_that_is_not_there_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    keep(cache_folder() / "found", b"x")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "nobody").mkdir()
    keep(cache_folder() / "found", b"x")
    assert (tmp_path / "nobody" / ".cache" / "weir" / "found").read_bytes() == b"x"
