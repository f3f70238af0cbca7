"""How many clients a run of IO500 had, as IOR and IO500 tell it beside their results."""

import re
from dataclasses import dataclass

_NODES = re.compile(r"^\s*nodes\s*:\s*(\d+)\s*$", re.MULTILINE)
_TASKS = re.compile(r"^\s*(?:tasks|clients)\s*:\s*(\d+)\b", re.MULTILINE)
_PER_NODE = re.compile(r"^\s*clients per node\s*:\s*(\d+)\s*$", re.MULTILINE)
_API = re.compile(r"^\s*api\s*:\s*(\S+)", re.MULTILINE)
_PROCS = re.compile(r"^procs\s*=\s*(\d+)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Clients:
    """Null is unknown; `interface`: IOR's name of what it wrote through, such as "POSIX"."""

    nodes: int | None = None
    processes: int | None = None
    interface: str | None = None


def clients_of(ior: str, result: str) -> Clients:
    """From the text of IOR's easy write, and of `result.txt`; either may be empty."""
    tasks = _first(_TASKS, ior) or _first(_PROCS, result)
    per_node = _first(_PER_NODE, ior)
    # Earlier versions of IOR do not count the nodes; the last one may have fewer tasks.
    counted = -(-tasks // per_node) if tasks and per_node else None
    interface = _API.search(ior)
    return Clients(_first(_NODES, ior) or counted, tasks, interface[1] if interface else None)


def _first(pattern: re.Pattern[str], text: str) -> int | None:
    found = pattern.search(text)
    return int(found[1]) or None if found else None
