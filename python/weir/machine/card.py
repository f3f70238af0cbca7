"""Assembles the machine card: every probe, with what the native program can add, then every rule; and the
machine as probes see it: files, programs, environment; replaced as a whole in tests."""

import os
import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from weir.core.client import Core, find_core
from weir.errors import WeirError
from weir.machine.rules import judge
from weir.registry import Registry

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


Section = dict[str, Any]
Probe = Callable[[System], Section | None]

_probes = Registry[Probe]("weir.machine.probes", "probe")
probe = _probes.register
"""Registers what that finds one section of the card; it may raise anything: the section is then null."""


def collect(system: System) -> dict[str, Any]:
    """The machine card, ready for JSON.

    Keys: `schema`, `taken_at`, `directory`, one key a probe (null where it failed or found nothing),
    `notes` (which probe failed, and why) and `warnings` (`code`, `problem`, `why`, `advice`).
    """
    card: dict[str, Any] = {
        "schema": 1,
        "taken_at": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "directory": str(system.directory),
    }
    notes = []
    for name, function in _probes.all().items():
        card[name], note = _take(name, function, system)
        notes += note
    card["notes"] = notes
    card["warnings"] = judge(card)
    return card


def _take(name: str, function: Probe, system: System) -> tuple[Section | None, list[Mapping[str, str]]]:
    # Whatever a strange machine does to a probe, the other sections are still worth having.
    try:
        return function(system), []
    except Exception as error:
        return None, [{"probe": name, "note": f"{type(error).__name__}: {error}"}]


def machine_card(directory: Path) -> dict[str, Any]:
    """The card for `directory`; without a working `weir-core` it says so in its notes and warnings."""
    try:
        core, notes = Core(find_core()).machine(), []
    except WeirError as error:
        core, notes = None, [{"probe": "core", "note": str(error)}]
    card = collect(System(directory.resolve(), core))
    return card | {"notes": notes + card["notes"]}
