"""Processors, caches, NUMA nodes, clock governor, and how busy they are with other work."""

import os
import re

from weir.machine.card import Section, System, probe

CPU = "/sys/devices/system/cpu"
NODE = "/sys/devices/system/node"


@probe("cpu")
def cpu(system: System) -> Section:
    """Model and counts; `usable` is how many hardware threads this process may run on."""
    blocks = [_fields(block) for block in system.read("/proc/cpuinfo").split("\n\n")]
    sockets = {block["physical id"] for block in blocks if "physical id" in block}
    cores = {(block.get("physical id"), block["core id"]) for block in blocks if "core id" in block}
    first = blocks[0]
    return {
        "model": first.get("model name") or first.get("cpu") or first.get("CPU part"),
        "sockets": len(sockets) or None,
        "cores": len(cores) or None,
        "threads": sum("processor" in block for block in blocks) or None,
        "usable": len(os.sched_getaffinity(0)) if str(system.root) == "/" else None,
        "governor": system.read_or_none(f"{CPU}/cpu0/cpufreq/scaling_governor"),
        "max_frequency_hz": _frequency(system),
        "caches": _caches(system),
        "numa_nodes": _numa(system),
    }


def _fields(block: str) -> dict[str, str]:
    pairs = (line.partition(":") for line in block.splitlines())
    return {key.strip(): value.strip() for key, _, value in pairs}


def _frequency(system: System) -> int | None:
    kilohertz = system.read_or_none(f"{CPU}/cpu0/cpufreq/cpuinfo_max_freq")
    return int(kilohertz) * 1000 if kilohertz else None


def _caches(system: System) -> list[Section]:
    base = f"{CPU}/cpu0/cache"
    found = []
    for index in system.entries(base):
        level = system.read_or_none(f"{base}/{index}/level")
        size = system.read_or_none(f"{base}/{index}/size")
        if level is None or size is None:
            continue
        shared = system.read_or_none(f"{base}/{index}/shared_cpu_list")
        found.append(
            {
                "level": int(level),
                "type": (system.read_or_none(f"{base}/{index}/type") or "").lower() or None,
                "size_bytes": parse_kernel_size(size),
                "shared_by_threads": len(parse_range_list(shared)) if shared else None,
            }
        )
    return found


def _numa(system: System) -> list[Section] | None:
    online = system.read_or_none(f"{NODE}/online")
    if online is None:
        return None
    return [
        {
            "node": number,
            "cpus": system.read_or_none(f"{NODE}/node{number}/cpulist"),
            "memory_bytes": _node_memory(system, number),
        }
        for number in parse_range_list(online)
    ]


def _node_memory(system: System, number: int) -> int | None:
    for line in (system.read_or_none(f"{NODE}/node{number}/meminfo") or "").splitlines():
        words = line.split()
        if "MemTotal:" in words:
            return int(words[-2]) * 1024
    return None


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


def parse_range_list(text: str) -> list[int]:
    """Numbers of a kernel list; raises ValueError. Source: Linux admin-guide/cputopology.rst."""
    numbers: list[int] = []
    for part in filter(None, text.strip().split(",")):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def parse_kernel_size(text: str) -> int:
    """Bytes of a size as in sysfs ("32K", "36608K", "2M"); raises ValueError."""
    factors = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
    factor = factors.get(text[-1:].upper(), 1)
    return int(text[:-1] if factor > 1 else text) * factor
