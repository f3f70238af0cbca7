"""What the kernel knows of the program's processes: bytes moved (/proc/PID/io), and which still run.

A process's count includes its children that it has waited for. So the count of the program that was started
covers all its descendants, whether they loaded the recorder or not.
"""

import contextlib
import ctypes
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True)
class Moved:
    """Bytes of all calls that read or write files, pipes or terminals; without asynchronous rings (io_uring,
    libaio) and mapped memory."""

    def __add__(self, other: "Moved") -> "Moved":
        return Moved(self.read + other.read, self.written + other.written)

    read: int
    written: int


def moved_by(process: int | str = "self") -> Moved | None:
    """What a process has moved so far, also as a zombie; None: not known."""
    try:
        lines = Path(f"/proc/{process}/io").read_text(encoding="ascii").splitlines()
        counts = dict(line.split(": ", 1) for line in lines)
        return Moved(int(counts["rchar"]), int(counts["wchar"]))
    except (OSError, ValueError, KeyError):
        return None


def become_subreaper() -> None:
    """Orphaned descendants become this process's children, so that their counts are known here."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


@dataclass(frozen=True)
class Orphan:
    """A descendant whose parent had ended before it, and what it has moved."""

    process: int
    program: str
    moved: Moved


def reap_orphans() -> list[Orphan]:
    """Wait for adopted children that have ended by now."""
    orphans = []
    with contextlib.suppress(ChildProcessError):
        while found := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            moved = moved_by(found.si_pid)
            if moved is not None:
                orphans.append(Orphan(found.si_pid, _program_of(found.si_pid), moved))
            os.waitpid(found.si_pid, 0)
    return orphans


GRACE_S = 0.1
"""For processes that are about to end, such as daemons of launchers."""


@dataclass(frozen=True)
class Running:
    """One of them."""

    process: int
    program: str
    """The first word of its command line."""


def wait_for_last(grace_s: float = GRACE_S) -> tuple[tuple[Orphan, ...], tuple[Running, ...]]:
    """Reap the adopted children that have ended, or end within the grace time; those, and which descendants
    still run. Returns as soon as none does. The caller blocks SIGCHLD."""
    until = time.monotonic() + grace_s
    orphans: list[Orphan] = []
    while True:
        left = _descendants()
        ended = reap_orphans()
        orphans += ended
        if ended:
            continue  # of what they left behind, and waited for, `left` does not tell
        rest = until - time.monotonic()
        if not left or rest <= 0:
            return tuple(orphans), tuple(Running(process, _program_of(process)) for process in left)
        signal.sigtimedwait({signal.SIGCHLD}, rest)


def _descendants() -> list[int]:
    """Those of this process that are no zombies."""
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


@dataclass(frozen=True)
class Ended:
    """How the program ended, as its launcher knows when it has waited for it."""

    process: int
    status: int
    """Its exit status, or minus the signal that killed it."""
    moved: Moved | None
    """By the kernel's count, with its descendants that it, or such a one, has waited for."""
    running: tuple[Running, ...] = ()
    """Its descendants that have not."""
    orphans: tuple[Orphan, ...] = ()
    """Those that have, after their parents."""

    @property
    def exit_status(self) -> int:
        """As a shell has it: 128 and the signal that killed it."""
        return self.status if self.status >= 0 else 128 - self.status
