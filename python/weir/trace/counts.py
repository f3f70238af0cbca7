"""What a process counted after it could write nothing to the trace any more: files `*.counts`."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

_HEAD = np.dtype(
    [
        ("magic", "S8"),
        ("process", "<u4"),
        ("entries", "<u4"),
        ("end_real_ns", "<i8"),
        ("end_monotonic_ns", "<i8"),
        ("why", "S96"),
    ]
)
_ENTRY = np.dtype([("call", "S40"), ("calls", "<u8"), ("bytes", "<u8"), ("ticks", "<u8")])
_MAGIC = b"WEIRCNT1"
_MOST = 1 << 62


@dataclass(frozen=True)
class Counts:
    """Calls of a process, and of its children that have no files of their own."""

    why: str
    """What the process did: "it called chroot, …"."""
    end_real_ns: int
    """When it ended by itself; 0: it has not told."""
    lost: list[dict[str, Any]] = field(default_factory=list)
    """As a process tells it in its facts: `lost` (the call), `calls`, `bytes`, `ticks`."""


def parse_counts(data: bytes) -> Counts | None:
    """None where it is damaged."""
    if len(data) < _HEAD.itemsize:
        return None
    head = np.frombuffer(data, _HEAD, 1)[0]
    if bytes(head["magic"]) != _MAGIC:
        return None
    room = (len(data) - _HEAD.itemsize) // _ENTRY.itemsize
    entries = np.frombuffer(data, _ENTRY, min(int(head["entries"]), room), _HEAD.itemsize)
    lost = [
        {
            "lost": bytes(row["call"]).decode("utf-8", "replace"),
            "calls": min(int(row["calls"]), _MOST),
            "bytes": min(int(row["bytes"]), _MOST),
            "ticks": min(int(row["ticks"]), _MOST),
        }
        for row in entries[entries["calls"] > 0]
    ]
    why = bytes(head["why"]).decode("utf-8", "replace")
    return Counts(why, max(0, int(head["end_real_ns"])), lost)
