"""How busy the machine is with other work."""

from __future__ import annotations

import re

from weir.machine.card import Section, probe
from weir.machine.system import System


@probe("load")
def load(system: System) -> Section:
    """Mean number of runnable tasks, and the share of the last 10 s in which some task waited, in percent.

    Source: Linux Documentation/accounting/psi.rst.
    """
    averages = system.read("/proc/loadavg").split()
    return {
        "tasks_1min": float(averages[0]),
        "tasks_5min": float(averages[1]),
        "runnable_now": int(averages[3].partition("/")[0]) - 1,
        "waiting_for_cpu_percent": _pressure(system, "cpu"),
        "waiting_for_io_percent": _pressure(system, "io"),
    }


def _pressure(system: System, name: str) -> float | None:
    match = re.search(r"^some avg10=([\d.]+)", system.read_or_none(f"/proc/pressure/{name}") or "")
    return float(match.group(1)) if match else None
