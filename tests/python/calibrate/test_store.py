"""Calibrations are found again, and only what they hold for."""

from pathlib import Path

import msgspec
import pytest

from weir.calibrate import store
from weir.calibrate.calibration import Calibration
from weir.calibrate.store import noted_scratch, path_of
from weir.errors import WeirError
from weir.files.scratch_marker import MarkedFolder
from weir.measure.scratch_directory import scratch_name

from .simulation import STORAGE, Stage, play, usual


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "state" / "weir" / "calibrations").mkdir(parents=True)


@pytest.fixture
def found(tmp_path: Path) -> Calibration:
    return play(tmp_path, Stage(usual()))


def test_is_kept_as_it_was(found: Calibration, tmp_path: Path) -> None:
    path = store.save(found)
    assert path.parent == tmp_path / "state" / "weir" / "calibrations"
    assert store.load(path) == found


def test_storages_are_told_apart() -> None:
    paths = {store.path_of({**STORAGE, key: "other"}) for key in ("host", "mount_point", "type", "source")}
    assert len(paths | {store.path_of(STORAGE)}) == 5


def test_nothing_found_does_not_replace_something(found: Calibration) -> None:
    path = store.save(found)
    failed = Calibration(**{name: getattr(found, name) for name in found.__struct_fields__})
    failed.verdict = "inconclusive"
    assert store.save(failed) != path
    assert store.load(path).verdict == "found"


@pytest.mark.parametrize(
    "text", ["", "{}", '{"kind": "calibration", "schema": 2}', '{"kind": "calibration", "schema": 1}']
)
def test_what_is_no_calibration_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "c.json").write_text(text)
    with pytest.raises(WeirError, match="cannot read the calibration"):
        store.load(tmp_path / "c.json")


def test_one_storage_is_calibrated_once_at_a_time() -> None:
    with store.lock_of(STORAGE):
        with pytest.raises(WeirError, match="the storage at '/s' is in use"), store.lock_of(STORAGE):
            pass
        with store.lock_of({**STORAGE, "source": "/dev/other"}):
            pass


def test_it_is_said_beforehand_that_nothing_can_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    with pytest.raises(WeirError, match="Set XDG_STATE_HOME"):
        store.lock_of(STORAGE)


NOTE = {"path": "", "mark": "5" * 32}


def note(path: Path) -> None:
    """Of a calibration that was killed while its files were there."""
    path_of(STORAGE, ".scratch").write_bytes(msgspec.json.encode({**NOTE, "path": str(path)}))


def test_what_a_killed_calibration_left_is_removed(tmp_path: Path) -> None:
    left = tmp_path / scratch_name("calibrate")
    note(left)
    MarkedFolder.make(left, NOTE["mark"])
    (left / "data").touch()
    told: list[str] = []
    with noted_scratch(STORAGE, tmp_path, told.append) as (folder, _):
        assert not left.exists() and folder.exists()
        assert path_of(STORAGE, ".scratch").exists()
    assert told == [f"removed '{left}', left behind by a calibration that was killed"]
    assert not folder.exists()
    assert not list(path_of(STORAGE).parent.iterdir())


def test_its_name_is_never_the_same(tmp_path: Path) -> None:
    names = set()
    for _ in range(5):
        with noted_scratch(STORAGE, tmp_path, print) as (folder, _):
            names.add(folder)
    assert len(names) == 5


@pytest.mark.parametrize("name", ["precious", "weir-calibrate-01234567", ".."])
def test_a_directory_that_carries_no_mark_is_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir(exist_ok=True)
    note(tmp_path / name)
    with pytest.raises(WeirError), noted_scratch(STORAGE, tmp_path, print):
        pass
    assert (tmp_path / name).exists()
