"""Where calibrations are kept: one file a storage, as one host sees it; and while one is made, a lock and a
note of its scratch directory."""

import hashlib
import os
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from weir.bounded_parsing import MIB, decode_json
from weir.calibrate.calibration import SCHEMA, Calibration
from weir.errors import WeirError, system_errors
from weir.files.plain import read_own, read_plain
from weir.files.scratch_marker import MarkedFolder, draw_mark
from weir.files.walk import entry, make_own_folder, real_path, remove_entry
from weir.files.write import write
from weir.machine.mount_table import mount_of, parse_mounts
from weir.measure.scratch_directory import Scratch, check_scratch_name, scratch_name
from weir.store.lock import Lock

MOUNTS = Path("/proc/self/mountinfo")


def storage_of(directory: Path) -> dict[str, Any]:
    """What distinguishes storages: the host, since its memory is the cache, and the mount."""
    try:
        mount = mount_of(directory.resolve(), parse_mounts(MOUNTS.read_text()))
    except (OSError, ValueError):
        mount = None
    point = mount.point if mount else str(directory.resolve())
    facts = {key: getattr(mount, key, None) for key in ("type", "source", "nature")}
    return {"host": socket.gethostname(), "mount_point": point, **facts}


def path_of(storage: dict[str, Any], suffix: str = ".json") -> Path:
    """The file of that storage's calibration, whether there is one or not, or one that goes with it."""
    state = os.environ.get("XDG_STATE_HOME")
    folder = (Path(state) if state else Path.home() / ".local" / "state") / "weir" / "calibrations"
    parts = [str(storage[key]) for key in ("host", "mount_point", "type", "source")]
    place = re.sub(r"[^A-Za-z0-9.]+", "-", f"{parts[0]}{parts[1]}").strip("-")
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:8]
    return folder / f"{place}-{digest}{suffix}"


def load(path: Path, *, follow: bool = False) -> Calibration:
    """The calibration in a file, through links if asked. Raises WeirError if there is none, or it cannot be
    read."""
    try:
        raw = decode_json(read_plain(path.resolve() if follow else path, MIB))
        if not isinstance(raw, dict) or raw.get("kind") != "calibration":
            raise msgspec.ValidationError("it is none")
        if raw.get("schema") != SCHEMA:
            raise msgspec.ValidationError(f"its schema is {raw.get('schema')}, this Weir reads {SCHEMA}")
        return msgspec.convert(raw, Calibration)
    except FileNotFoundError as error:
        raise WeirError(
            f"there is no calibration '{path}'", "", "make one with `weir calibrate DIR`"
        ) from error
    except (OSError, msgspec.DecodeError, msgspec.ValidationError) as error:
        raise WeirError(
            f"cannot read the calibration '{path}'", str(error), "make a new one with `weir calibrate DIR`"
        ) from error


def save(calibration: Calibration) -> Path:
    """Keep it, in one step. One that found nothing does not replace one that did; returns the file."""
    path = path_of(calibration.storage)
    if calibration.verdict != "found":
        with suppress(WeirError):
            if load(path).verdict == "found":
                path = path_of(calibration.storage, ".inconclusive.json")
    with _keeping(path):
        write(path, msgspec.json.format(msgspec.json.encode(calibration), indent=1) + b"\n", make=True)
    return path


def lock_of(storage: dict[str, Any]) -> Lock:
    """Held while a storage is calibrated: two at once would disturb each other. Raises WeirError where
    nothing can be kept, before anything is measured."""
    path = path_of(storage, ".lock")
    with _keeping(path):
        make_own_folder(path.parent)
    return Lock(path, f"the storage at '{storage['mount_point']}'")


def _keeping(path: Path) -> AbstractContextManager[None]:
    return system_errors(f"cannot keep a calibration in '{path}'", "set XDG_STATE_HOME to a folder of yours")


class Noted(msgspec.Struct):
    """Where a calibration writes its files, and the mark of its directory."""

    path: str
    mark: str


@contextmanager
def noted_scratch(
    storage: dict[str, Any], directory: Path, tell: Callable[[str], None]
) -> Iterator[tuple[Path, Scratch]]:
    """A scratch directory of unpredictable name in `directory`. A note of it is kept while it exists, by
    which the next calibration removes what a killed one left behind. Only for the holder of the storage's
    lock. Raises WeirError if what is there is not known as Weir's own."""
    note = path_of(storage, ".scratch")
    left = _noted(note)
    if left is not None and os.path.lexists(left.path):
        check_scratch_name(Path(left.path))
        MarkedFolder.recognise(Path(left.path), left.mark).remove()
        tell(f"removed '{left.path}', left behind by a calibration that was killed")
    path, mark = real_path(directory) / scratch_name("calibrate"), draw_mark()
    write(note, msgspec.json.encode(Noted(str(path), mark)))
    with Scratch({None: path}, keep=False, mark=mark) as scratch:
        yield path, scratch
    with entry(note) as (folder, name):
        remove_entry(folder, name)


def _noted(note: Path) -> Noted | None:
    try:
        return decode_json(read_own(note), type=Noted)
    except (OSError, msgspec.DecodeError):
        return None
