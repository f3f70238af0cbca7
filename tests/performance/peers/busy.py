"""How busy a machine is with other things."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from weir.units import significant

STAT = Path("/proc/stat")
WATCH_S = 0.3
MOST_CORES = 0.1


def busy_cores() -> float:
    """Cores at work while we sleep a moment; 0 where the kernel does not tell."""
    if not STAT.exists():
        return 0.0
    began, before = time.monotonic(), busy_ticks(STAT.read_text())
    time.sleep(WATCH_S)
    ticks = busy_ticks(STAT.read_text()) - before
    return ticks / os.sysconf("SC_CLK_TCK") / (time.monotonic() - began)


def warn_if_busy(cores: float | None) -> None:
    """Say on standard error where so many were at work with other things that numbers are worth little."""
    if cores is not None and cores > MOST_CORES:
        busy = f"up to {significant(cores)} cores were busy with something else"
        print(f"Weir: {busy}: do not trust these numbers", file=sys.stderr)


def busy_ticks(stat: str) -> int:
    """Clock ticks of all cores in user, nice, system, irq and softirq (proc(5))."""
    cpu = [int(word) for word in stat.splitlines()[0].split()[1:]]
    return sum(cpu[:3]) + sum(cpu[5:7])
