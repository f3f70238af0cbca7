"""Who takes part: contenders are files of tests/performance/array/contenders, and tell about themselves."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weir.launch.base import Launcher, LaunchSpec

PROGRAM = Path(__file__).parents[4] / "build/release/bin/performance/array/array_contenders"

PUBLIC = ("public", "default")
"""Roles of what people use today; the default is what they get where nobody chooses."""


@dataclass(frozen=True)
class Contender:
    """A way to write and read an array, as the program describes it."""

    name: str
    summary: str
    role: str
    """`public`, `default`, `ours`, `bounded` (ours with a memory bound), `bound`, `storage` (nothing is
    exchanged), `variant` (ours, told how to do it), or `boosted` (public, with the boost library)."""
    mpi_io: str | None = None
    """The implementation of MPI-IO that its ranks are started under; None: it needs none."""
    environment: tuple[tuple[str, str], ...] = ()
    """Variables that its ranks are started under."""


def ask_contenders(program: Path) -> tuple[list[Contender], dict[str, str]]:
    """The contenders of this build, and what it leaves out with the reason of each."""
    done = subprocess.run([program, "--list"], capture_output=True, text=True, check=True, timeout=30)
    return read_list(json.loads(done.stdout))


def startable(launcher: Launcher) -> tuple[list[Contender], dict[str, str]]:
    """The same of PROGRAM; left out are also those that this launcher cannot start."""
    found, left_out = ask_contenders(PROGRAM)
    for one in found:
        lacks = launcher.lacks(LaunchSpec(2, mpi_io=one.mpi_io))
        if lacks is not None:
            left_out[one.name] = lacks
    return found, left_out


def read_list(told: Mapping[str, Any]) -> tuple[list[Contender], dict[str, str]]:
    """The same, from what the program printed."""
    found = [
        Contender(
            entry["name"],
            entry["summary"],
            entry["role"],
            entry["mpi_io"] or None,
            tuple(sorted(entry["environment"].items())),
        )
        for entry in told["contenders"]
        if entry["role"] != "absent"
    ]
    order = ("bound", "storage", "ours", "bounded", "variant", "public", "default", "boosted")
    return sorted(found, key=lambda one: (order.index(one.role), one.name)), dict(told["left_out"])


def by_launch(contenders: Iterable[Contender]) -> list[list[Contender]]:
    """Those that the same ranks can run, since they start under the same settings."""
    groups: dict[tuple[Any, ...], list[Contender]] = {}
    for one in contenders:
        groups.setdefault((one.mpi_io, one.environment), []).append(one)
    return list(groups.values())
