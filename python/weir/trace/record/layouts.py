"""How the files of a trace lie on their file systems: blocks, and Lustre's stripes and storage targets. Read
when the program has ended, on the host of `weir trace`."""

import os
import posixpath
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weir.errors import WeirError
from weir.files.plain import read_plain
from weir.machine.mount_table import NOT_STORAGE, Mount, parse_mounts
from weir.trace.names import FILE, entries
from weir.trace.paths import nearest

STRIPES = "lustre.lov"
"""The extended attribute that says how a file lies on Lustre."""
_SHARED = ("network", "parallel")
"""A path there is the same file on every host."""
MOST_FILES = 10_000
"""With stripes of their own: enough to compare storage targets."""
_PLAIN_LAYOUTS = {0x0BD10BD0: 32, 0x0BD30BD0: 48}
"""Where the targets begin, by magic number: without and with the name of a pool."""
_COMPOSITE = 0x0BD60BD0
_INSTANTIATED = 0x10
_HEADER = struct.Struct("<IIIHH")
_ENTRY = struct.Struct("<II16xII")
_ENTRIES_AT, _ENTRY_BYTES = 32, 48
_PLAIN = struct.Struct("<II16xIH")
_TARGET_BYTES, _TARGET_AT = 24, 20


@dataclass(frozen=True)
class Stripes:
    """Of a file on Lustre; `bytes` is 0 where its parts have stripes of several sizes."""

    bytes: int
    targets: tuple[int, ...]


def stripes_in(layout: bytes) -> Stripes | None:
    """What the attribute says; None for what is none of its known forms. Source: Lustre's documentation of
    struct lov_user_md and struct lov_comp_md_v1, all numbers little-endian."""
    try:
        parts = list(_parts(layout))
    except struct.error:
        return None
    if not parts:
        return None
    sizes = {part.bytes for part in parts}
    targets = dict.fromkeys(target for part in parts for target in part.targets)
    return Stripes(sizes.pop() if len(sizes) == 1 else 0, tuple(targets))


def _parts(layout: bytes) -> Iterator[Stripes]:
    """Those that have storage targets."""
    magic, _, _, _, count = _HEADER.unpack_from(layout)
    if magic in _PLAIN_LAYOUTS:
        found = _plain(layout)
        if found.targets:
            yield found
    elif magic == _COMPOSITE:
        for number in range(count):
            _, flags, at, size = _ENTRY.unpack_from(layout, _ENTRIES_AT + number * _ENTRY_BYTES)
            if flags & _INSTANTIATED:
                yield from _parts(layout[at : at + size])


def _plain(layout: bytes) -> Stripes:
    magic, _, size, count = _PLAIN.unpack_from(layout)
    first = _PLAIN_LAYOUTS[magic]
    there = range(first, min(first + count * _TARGET_BYTES, len(layout) - _TARGET_BYTES + 1), _TARGET_BYTES)
    return Stripes(size, tuple(struct.unpack_from("<I", layout, at + _TARGET_AT)[0] for at in there))


def block_bytes(folder: str) -> int | None:
    """The file system's block size, as statfs tells it."""
    with suppress(OSError):
        return os.statvfs(folder).f_bsize
    return None


def stripes_of(file: str) -> Stripes | None:
    """None where the file is not there any more, or the system does not tell."""
    with suppress(OSError):
        return stripes_in(os.getxattr(file, STRIPES))
    return None


def layouts_of(folder: Path) -> dict[str, Any]:
    """As facts for the trace's head: parallel lists of folders and block sizes, and of files, stripe sizes
    and targets. Files of other hosts count only where they are the same files here."""
    here = os.uname().nodename
    with suppress(OSError, ValueError, WeirError):
        text = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape")
        alone = all(path.name.rsplit("-", 2)[0] == here for path in folder.glob("*.process"))
        return facts_of(sorted(_named(folder)), parse_mounts(text), Asking(alone=alone))
    return {}


@dataclass(frozen=True)
class Asking:
    """How the system is asked; tests have other answers."""

    alone: bool = True
    """Did all processes run on this host?"""
    block: Callable[[str], int | None] = block_bytes
    stripes: Callable[[str], Stripes | None] = stripes_of

    def tells(self, mount: Mount) -> bool:
        """Has it blocks that matter, and are its files those of the trace?"""
        if mount.nature == "memory" or mount.type in NOT_STORAGE:
            return False
        return self.alone or mount.nature in _SHARED


def facts_of(files: Sequence[str], mounts: Sequence[Mount], asking: Asking) -> dict[str, Any]:
    """The facts of these files. A folder of which nothing can be told has blocks of 0 bytes."""
    by_point = {mount.point: mount for mount in mounts}  # the last one of a point hides the others
    above: dict[str, Mount] = {}
    blocks: dict[str, int] = {}
    striped: dict[str, Stripes] = {}
    for file in files:
        mount = nearest(posixpath.dirname(file), by_point, above)
        if mount is None:
            continue
        if mount.point not in blocks:
            blocks[mount.point] = (asking.block(mount.point) or 0) if asking.tells(mount) else 0
        if blocks[mount.point] and mount.type == "lustre" and len(striped) < MOST_FILES:
            found = asking.stripes(file)
            if found:
                striped[file] = found
    facts: dict[str, Any] = {}
    if blocks:
        facts |= {"block_folders": list(blocks), "block_bytes": list(blocks.values())}
    if striped:
        facts |= {
            "striped_files": list(striped),
            "stripe_bytes": [one.bytes for one in striped.values()],
            "stripe_counts": [len(one.targets) for one in striped.values()],
            "stripe_targets": [target for one in striped.values() for target in one.targets],
        }
    return facts


def _named(folder: Path) -> set[str]:
    """The absolute paths in the tables of names; not those that are no text, which no fact can hold."""
    found = {
        text
        for path in folder.glob("*.names")
        for _, kind, _, parent, text in entries(read_plain(path))
        if kind == FILE and not parent and text and text.startswith(b"/")
    }
    names = set()
    for text in found:
        with suppress(UnicodeDecodeError):
            names.add(text.decode("utf-8"))
    return names
