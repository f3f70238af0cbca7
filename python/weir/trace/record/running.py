"""Processes that a program has started and that still run when it has ended."""

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .kernel import Moved, bury_orphans

_PATIENCE_S = 0.1
"""For those that are about to end, as daemons of launchers are."""


@dataclass(frozen=True)
class Running:
    """One of them."""

    process: int
    program: str
    """The first word of its command line."""


def wait_for_last() -> tuple[Moved, tuple[Running, ...]]:
    """Bury the adopted children that have ended by now, or end in a moment; what they have moved, and who
    still runs. SIGCHLD is to be blocked."""
    until = time.monotonic() + _PATIENCE_S
    moved = bury_orphans()
    while (left := _descendants()) and (rest := until - time.monotonic()) > 0:
        signal.sigtimedwait({signal.SIGCHLD}, rest)
        more = bury_orphans()
        moved = Moved(moved.read + more.read, moved.written + more.written)
    return moved, tuple(Running(process, _program_of(process)) for process in left)


def _descendants() -> list[int]:
    """All that come of this process and are no zombies."""
    children: dict[int, list[int]] = {}
    for process, parent in _parents():
        children.setdefault(parent, []).append(process)
    found: list[int] = []
    to_see = [os.getpid()]
    while to_see:
        below = children.get(to_see.pop(), [])
        found += below
        to_see += below
    return sorted(found)


def _parents() -> Iterator[tuple[int, int]]:
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                # pid (name) state parent: the name may hold anything
                state, parent = (folder / "stat").read_bytes().rpartition(b")")[2].split()[:2]
            except (OSError, ValueError):
                continue  # it has ended meanwhile
            if state not in b"ZX":
                yield int(folder.name), int(parent)


def _program_of(process: int) -> str:
    try:
        folder = Path(f"/proc/{process}")
        words = (folder / "cmdline").read_bytes().split(b"\0")
        first = words[0] or (folder / "comm").read_bytes().strip()
        return first.decode("utf-8", "backslashreplace")
    except OSError:
        return "a program"
