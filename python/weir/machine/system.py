"""The machine as probes see it: files, programs, environment; replaced as a whole in tests."""

import os
import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

COMMAND_LIMIT_S = 10.0


def run_command(command: Sequence[str]) -> str:
    """Standard output of `command`; raises OSError if it is not there, SubprocessError if it fails or
    hangs.
    """
    done = subprocess.run(
        list(command), capture_output=True, text=True, timeout=COMMAND_LIMIT_S, check=True, errors="replace"
    )
    return done.stdout


def chosen_of(text: str | None) -> str | None:
    """The word in brackets, by which the kernel marks one of several choices; null where there is none."""
    match = re.search(r"\[([\w-]+)\]", text or "")
    return match.group(1) if match else None


@dataclass(frozen=True)
class Space:
    """Sizes of a file system in bytes; `inodes_free` is null where it has no fixed number."""

    total_bytes: int
    available_bytes: int
    inodes_free: int | None = None


def disk_space(path: Path) -> Space:
    """Space of the file system that holds `path`, for a user without privileges; raises OSError."""
    found = os.statvfs(path)
    return Space(
        found.f_blocks * found.f_frsize,
        found.f_bavail * found.f_frsize,
        found.f_favail if found.f_files else None,
    )


@dataclass(frozen=True)
class System:
    """Everything a probe may look at.

    `directory` is the storage measured, absolute. `core` is the `machine` line of `weir-core machine`, null
    without it. `root` stands before every path that `read` and `entries` are given, so that a test brings
    its own /proc.
    """

    directory: Path
    core: Mapping[str, Any] | None = None
    root: Path = Path("/")
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    run: Callable[[Sequence[str]], str] = run_command
    space: Callable[[Path], Space] = disk_space

    def read(self, path: str) -> str:
        """Text of a file without the white space around it; raises OSError."""
        return (self.root / path.lstrip("/")).read_text(errors="replace").strip()

    def read_or_none(self, path: str) -> str | None:
        """Text of a file, or null where it cannot be read."""
        try:
            return self.read(path)
        except OSError:
            return None

    def entries(self, path: str) -> list[str]:
        """Names in a directory, sorted; empty where there is none."""
        try:
            return sorted(each.name for each in (self.root / path.lstrip("/")).iterdir())
        except OSError:
            return []
