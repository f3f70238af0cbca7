"""A calibration finds what a killed one left, and touches nothing else."""

from pathlib import Path

import msgspec
import pytest

from weir.calibrate.left_behind import draw, forget, remove_left_behind
from weir.calibrate.store import path_of
from weir.errors import WeirError
from weir.files.marked import MarkedFolder

from .simulation import STORAGE


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "state" / "weir" / "calibrations").mkdir(parents=True)


def test_what_a_killed_calibration_left_is_removed(tmp_path: Path) -> None:
    drawn = draw(STORAGE, tmp_path)
    MarkedFolder.make(Path(drawn.path), drawn.mark)
    (Path(drawn.path) / "data").touch()
    assert remove_left_behind(STORAGE) == Path(drawn.path)
    assert not Path(drawn.path).exists() and remove_left_behind(STORAGE) is None
    forget(STORAGE)
    forget(STORAGE)
    assert not list(path_of(STORAGE).parent.iterdir())


def test_its_name_is_never_the_same(tmp_path: Path) -> None:
    assert len({draw(STORAGE, tmp_path).path for _ in range(5)}) == 5


@pytest.mark.parametrize("name", ["precious", "weir-calibrate-01234567", ".."])
def test_a_directory_that_carries_no_mark_is_left_alone(tmp_path: Path, name: str) -> None:
    drawn = draw(STORAGE, tmp_path)
    (tmp_path / name).mkdir(exist_ok=True)
    note = path_of(STORAGE).with_suffix(".scratch")
    note.write_bytes(msgspec.json.encode({"path": str(tmp_path / name), "mark": drawn.mark}))
    with pytest.raises(WeirError):
        remove_left_behind(STORAGE)
    assert (tmp_path / name).exists()
