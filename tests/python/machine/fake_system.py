"""A machine made of a few files in a temporary folder, which probes read instead of this one."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from weir.machine.card import Space, System

MOUNTS = """\
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw,discard
28 27 0:40 / /scratch rw,relatime shared:3 - lustre 10.0.0.1@tcp:/fs rw,flock
29 27 0:41 / /dev/shm rw,nosuid - tmpfs tmpfs rw,size=1k
30 27 8:17 / /data\\040big ro - xfs /dev/sdb1 rw
"""
FILES = {
    "/proc/self/mountinfo": MOUNTS,
    "/proc/loadavg": "1.50 0.75 0.50 3/92 5500",
    "/proc/meminfo": "MemTotal: 1000 kB\nMemAvailable: 400 kB\nDirty: 4 kB\n",
    "/proc/cpuinfo": "processor: 0\nmodel name: CPU A\nphysical id: 0\ncore id: 0\nflags: fpu hypervisor\n\n"
    "processor: 1\nphysical id: 0\ncore id: 0\n",
    "/proc/self/cgroup": "0::/user/job\n",
    "/sys/fs/cgroup/user/memory.max": "204800\n",
    "/sys/fs/cgroup/user/job/memory.max": "max\n",
    "/sys/fs/cgroup/user/job/cpu.max": "150000 100000\n",
    "/proc/sys/vm/dirty_ratio": "20",
    "/proc/sys/vm/dirty_expire_centisecs": "3000",
}


def fake_system(
    root: Path,
    directory: str = "/home/a",
    *,
    files: Mapping[str, str] | None = None,
    answers: Mapping[str, str] | None = None,
    core: Mapping[str, Any] | None = None,
) -> System:
    """A system of FILES and `files`; `answers` are what programs print, by their name."""
    for name, text in (FILES | dict(files or {})).items():
        path = root / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run(command: Sequence[str]) -> str:
        if command[0] not in (answers or {}):
            raise subprocess.CalledProcessError(127, list(command))
        return (answers or {})[command[0]]

    return System(
        directory=Path(directory),
        core=core,
        root=root,
        environment={"OMPI_MCA_io": "romio321", "HOME": "/root", "SLURM_JOB_TOKEN": "x"},
        run=run,
        space=lambda path: Space(1000, 500, 5),
    )
