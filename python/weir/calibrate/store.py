"""Where calibrations are kept: one file a storage, as one host sees it."""

from __future__ import annotations

import hashlib
import os
import re
import socket
from pathlib import Path
from typing import Any

import msgspec

from weir.bounded import MIB, decode_json
from weir.calibrate.calibration import SCHEMA, Calibration
from weir.errors import WeirError
from weir.files.plain import read_plain
from weir.files.walk import make_own_folder
from weir.files.write import write
from weir.machine.mount_table import mount_of, parse_mounts
from weir.store.lock import Lock

MOUNTS = Path("/proc/self/mountinfo")


def storage_of(directory: Path) -> dict[str, Any]:
    """What tells storages apart: the host, since its memory is the cache, and the mount."""
    found: dict[str, Any] = {"host": socket.gethostname()}
    try:
        mount = mount_of(directory.resolve(), parse_mounts(MOUNTS.read_text()))
    except (OSError, ValueError):
        mount = None
    if mount is None:
        return found | {"mount_point": str(directory.resolve()), "type": None, "source": None, "nature": None}
    return found | {
        "mount_point": mount.point,
        "type": mount.type,
        "source": mount.source,
        "nature": mount.nature,
    }


def path_of(storage: dict[str, Any]) -> Path:
    """The file of that storage's calibration, whether there is one or not."""
    parts = [str(storage[key]) for key in ("host", "mount_point", "type", "source")]
    place = re.sub(r"[^A-Za-z0-9.]+", "-", f"{parts[0]}{parts[1]}").strip("-")
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:8]
    return _folder() / f"{place}-{digest}.json"


def load(path: Path) -> Calibration:
    """The calibration in a file. Raises WeirError if it cannot be read, FileNotFoundError if it is not
    there."""
    try:
        raw = decode_json(read_plain(path, MIB))
        if not isinstance(raw, dict) or raw.get("kind") != "calibration":
            raise _unreadable(path, "it is none")
        if raw.get("schema") != SCHEMA:
            raise _unreadable(path, f"its schema is {raw.get('schema')}, this Weir reads {SCHEMA}")
        return msgspec.convert(raw, Calibration)
    except FileNotFoundError:
        raise
    except (OSError, msgspec.DecodeError, msgspec.ValidationError) as error:
        raise _unreadable(path, str(error)) from error


def save(calibration: Calibration) -> Path:
    """Keep it, in one step. One that found nothing does not replace one that did; returns the file."""
    path = path_of(calibration.storage)
    if calibration.verdict != "found" and _holds_a_better_one(path):
        path = path.with_suffix(".inconclusive.json")
    try:
        write(path, msgspec.json.format(msgspec.json.encode(calibration), indent=1) + b"\n", make=True)
    except OSError as error:
        raise _unkept(path, error) from error
    return path


def lock_of(storage: dict[str, Any]) -> Lock:
    """Held while a storage is calibrated: two at once would measure each other. Raises WeirError where
    nothing can be kept, before anything is measured."""
    path = path_of(storage).with_suffix(".lock")
    try:
        make_own_folder(path.parent)
    except OSError as error:
        raise _unkept(path, error) from error
    return Lock(path, f"the storage at '{storage['mount_point']}'")


def _holds_a_better_one(path: Path) -> bool:
    try:
        return load(path).verdict == "found"
    except (FileNotFoundError, WeirError):
        return False


def _folder() -> Path:
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "weir" / "calibrations"


def _unkept(path: Path, error: OSError) -> WeirError:
    why = error.strerror or str(error)
    return WeirError(f"cannot keep a calibration in '{path}'", why, "set XDG_STATE_HOME to a folder of yours")


def _unreadable(path: Path, why: str) -> WeirError:
    return WeirError(f"cannot read the calibration '{path}'", why, "make a new one with `weir calibrate DIR`")
