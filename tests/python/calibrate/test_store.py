"""Calibrations are found again, and only what they hold for."""

from pathlib import Path

import pytest

from weir.calibrate import store
from weir.calibrate.calibration import Calibration
from weir.errors import WeirError

from .simulation import STORAGE, Stage, play, usual


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Calibration:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
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


def test_one_storage_is_calibrated_once_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
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
