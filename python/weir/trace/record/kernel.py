"""What the kernel counts for a process, whatever the process is made of: /proc/PID/io.

A process's count has those of its children in it, which it has waited for. So that of the program that was
started tells what all have moved that came of it, the recorder loaded or not.
"""

import contextlib
import ctypes
import os
from dataclasses import dataclass
from pathlib import Path

_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True)
class Moved:
    """Bytes of all calls that read or write, of files, pipes and terminals alike. Rings of requests
    (io_uring, libaio) and mapped memory are not in it."""

    read: int
    written: int


def moved_by(process: int | str = "self") -> Moved | None:
    """What a process has moved so far, also if it has ended and nobody has waited for it; None: not known."""
    try:
        lines = Path(f"/proc/{process}/io").read_text(encoding="ascii").splitlines()
        counts = dict(line.split(": ", 1) for line in lines)
        return Moved(int(counts["rchar"]), int(counts["wchar"]))
    except (OSError, ValueError, KeyError):
        return None


def adopt_orphans() -> None:
    """Descendants whose parents have ended become this process's children, so that their counts come here."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def bury_orphans() -> Moved:
    """Waits for adopted children that have ended by now, and for no other; what they have moved."""
    read = written = 0
    with contextlib.suppress(ChildProcessError):
        while found := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            moved = moved_by(found.si_pid)
            os.waitpid(found.si_pid, 0)
            read, written = read + (moved.read if moved else 0), written + (moved.written if moved else 0)
    return Moved(read, written)
