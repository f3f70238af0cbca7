"""The scratch directory of a calibration, written down while it is there: so what a killed one left behind is
found by the next, and its name can be one that nobody foresees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from weir.calibrate.store import path_of
from weir.drive.scratch import check_scratch_name, scratch_name
from weir.files.marked import MarkedFolder, draw_mark
from weir.files.plain import read_own
from weir.files.remove import remove_entry
from weir.files.walk import entry
from weir.files.write import write


class Drawn(msgspec.Struct, frozen=True):
    """Where a calibration writes its files, and the mark of its directory."""

    path: str
    mark: str


def draw(storage: dict[str, Any], directory: Path) -> Drawn:
    """A new one in the directory, written down. Only for the holder of the storage's lock."""
    drawn = Drawn(str(directory.resolve() / scratch_name("calibrate")), draw_mark())
    write(_note_of(storage), msgspec.json.encode(drawn))
    return drawn


def remove_left_behind(storage: dict[str, Any]) -> Path | None:
    """Remove what a killed calibration left on this storage; its path, None if there was nothing. Raises
    WeirError if what is there is not known as Weir's own."""
    note = _note_of(storage)
    try:
        drawn = msgspec.json.decode(read_own(note), type=Drawn)
    except (OSError, msgspec.DecodeError, msgspec.ValidationError):
        return None
    path = Path(drawn.path)
    check_scratch_name(path)
    if not path.exists():
        return None
    MarkedFolder.recognise(path, drawn.mark).remove()
    return path


def forget(storage: dict[str, Any]) -> None:
    """The directory is removed: nothing is left to be found."""
    with entry(_note_of(storage)) as (folder, name):
        remove_entry(folder, name)


def _note_of(storage: dict[str, Any]) -> Path:
    return path_of(storage).with_suffix(".scratch")
