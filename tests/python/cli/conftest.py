"""Where the verbs run in these tests: a folder of their own, with the fake core."""

from pathlib import Path

import pytest

from fakes import study_text


@pytest.fixture
def place(tmp_path: Path, fake_core: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: a study in `small.toml`, a directory `store` to measure, and no state of others."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "store").mkdir()
    (tmp_path / "small.toml").write_text(study_text())
    return tmp_path


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real recorder for `weir trace`; skips where it is not built."""
    library = Path(__file__).parents[3] / "build/release/lib/libweir-trace.so"
    if not library.exists():
        pytest.skip("the recorder is not built")
    monkeypatch.setenv("WEIR_TRACE_LIBRARY", str(library))
