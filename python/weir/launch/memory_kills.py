"""How often the kernel has killed processes for lack of memory, as it counts that itself."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_COUNTER = "oom_kill"


@dataclass(frozen=True)
class MemoryKills:
    """Processes killed so far, in this process's control group and on this host; None where nobody counts."""

    group: int | None = None
    host: int | None = None

    def since(self, before: MemoryKills) -> str:
        """What happened in between, in words; empty where nothing is known to have."""
        for now, then, where in (
            (self.group, before.group, "of this control group"),
            (self.host, before.host, "on this host"),
        ):
            if now is not None and then is not None and now > then:
                count = now - then
                what = "a process" if count == 1 else f"{count} processes"
                return f"the kernel killed {what} {where} for lack of memory meanwhile"
        return ""


def memory_kills(root: Path = Path("/")) -> MemoryKills:
    """The counts now: of memory.events (control groups, version 2) or memory.oom_control (version 1), and of
    /proc/vmstat."""
    return MemoryKills(_of_group(root), _count(root / "proc/vmstat"))


def _of_group(root: Path) -> int | None:
    groups = root / "sys/fs/cgroup"
    for line in _text(root / "proc/self/cgroup").splitlines():
        number, controllers, path = line.split(":", 2)
        inside = path.lstrip("/")
        if number == "0" and not controllers:
            file = groups / inside / "memory.events"
        elif "memory" in controllers.split(","):
            file = groups / "memory" / inside / "memory.oom_control"
        else:
            continue
        found = _count(file)
        if found is not None:
            return found
    return None


def _count(file: Path) -> int | None:
    for line in _text(file).splitlines():
        name, _, value = line.partition(" ")
        if name == _COUNTER and value.strip().isdigit():
            return int(value)
    return None


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
