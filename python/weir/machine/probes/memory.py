"""Memory, its limits for this process, and how the kernel treats pages that wait to be written."""

import re

from weir.machine.card import Section, System, chosen_of, probe

VM = "/proc/sys/vm"
FIELDS = {
    "total_bytes": "MemTotal",
    "available_bytes": "MemAvailable",
    "cached_bytes": "Cached",
    "dirty_bytes": "Dirty",
    "swap_total_bytes": "SwapTotal",
    "swap_free_bytes": "SwapFree",
}


@probe("memory")
def memory(system: System) -> Section:
    """Sizes in bytes, of /proc/meminfo; `thp` says when the kernel uses huge pages."""
    values = dict(re.findall(r"^(\w+):\s+(\d+) kB", system.read("/proc/meminfo"), re.MULTILINE))
    found: Section = {
        key: int(values[name]) * 1024 if name in values else None for key, name in FIELDS.items()
    }
    found["thp"] = chosen_of(system.read_or_none("/sys/kernel/mm/transparent_hugepage/enabled"))
    found["page_size_bytes"] = _page_size(system)
    return found


@probe("dirty_pages")
def dirty_pages(system: System) -> Section:
    """When the kernel starts to write (background) and when it stops writers (dirty).

    A `_bytes` of 0 means that the ratio, in percent of available memory, is the one in force.
    Source: Linux Documentation/admin-guide/sysctl/vm.rst.
    """
    names = ["dirty_ratio", "dirty_background_ratio", "dirty_bytes", "dirty_background_bytes"]
    found: Section = {f"{name}_percent" if "ratio" in name else name: _number(system, name) for name in names}
    for key in ("dirty_expire_centisecs", "dirty_writeback_centisecs"):
        value = _number(system, key)
        found[key.replace("centisecs", "s")] = value / 100 if value is not None else None
    return found


@probe("first_touch")
def first_touch(system: System) -> Section | None:
    """What `weir-core machine` measured when it touched new pages for the first time and once more."""
    return dict(system.core["first_touch"]) if system.core and system.core.get("first_touch") else None


@probe("cgroup")
def cgroup(system: System) -> Section:
    """Limits that the control group puts on this process; null means no limit, in cgroup v1 and v2.

    Source: Linux Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst.
    """
    groups = dict(re.findall(r"^\d+:([^:]*):(.*)$", system.read("/proc/self/cgroup"), re.MULTILINE))
    if "memory" in groups:
        return {
            "version": 1,
            "memory_limit_bytes": _lowest(
                system, "/sys/fs/cgroup/memory", groups["memory"], "memory.limit_in_bytes"
            ),
            "cpu_limit": _cpu_v1(system, groups.get("cpu") or groups.get("cpu,cpuacct") or "/"),
        }
    path = groups.get("", "/")
    return {
        "version": 2,
        "memory_limit_bytes": _lowest(system, "/sys/fs/cgroup", path, "memory.max"),
        "cpu_limit": _cpu_v2(system, path),
    }


def _lowest(system: System, base: str, path: str, name: str) -> int | None:
    # Each group up the tree has its own limit, and the smallest one holds.
    limits = []
    parts = [part for part in path.split("/") if part]
    for depth in range(len(parts) + 1):
        text = system.read_or_none("/".join([base, *parts[:depth], name]))
        if text and text.isdigit():
            limits.append(int(text))
    # Version 1 writes "no limit" as the largest page-aligned 63-bit number.
    limits = [limit for limit in limits if limit < 1 << 62]
    return min(limits, default=None)


def _cpu_v1(system: System, path: str) -> float | None:
    for base in ("/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"):
        quota = system.read_or_none(f"{base}{path.rstrip('/')}/cpu.cfs_quota_us")
        period = system.read_or_none(f"{base}{path.rstrip('/')}/cpu.cfs_period_us")
        if quota and period and int(quota) > 0:
            return int(quota) / int(period)
    return None


def _cpu_v2(system: System, path: str) -> float | None:
    quota, _, period = (system.read_or_none(f"/sys/fs/cgroup{path.rstrip('/')}/cpu.max") or "max").partition(
        " "
    )
    return int(quota) / int(period) if quota != "max" and period else None


def _number(system: System, name: str) -> int | None:
    text = system.read_or_none(f"{VM}/{name}")
    return int(text) if text else None


def _page_size(system: System) -> int | None:
    try:
        return int(system.run(["getconf", "PAGESIZE"]))
    except Exception:
        return None
