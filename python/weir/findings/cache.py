"""How much the page cache of a machine can take, by its machine card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def cacheable_bytes(card: Mapping[str, Any]) -> int | None:
    """How much of a file memory can hold: what is available, or less where a control group limits it."""
    memory, group = card.get("memory") or {}, card.get("cgroup") or {}
    known = [memory.get("available_bytes"), group.get("memory_limit_bytes")]
    return min((size for size in known if size), default=None)


def dirty_limit_bytes(card: Mapping[str, Any]) -> int | None:
    """From how many unwritten bytes on the kernel holds writers back: half way between its two thresholds.

    Source: Linux mm/page-writeback.c, dirty_freerun_ceiling().
    """
    settings, available = card.get("dirty_pages") or {}, (card.get("memory") or {}).get("available_bytes")
    limits = []
    for name in ("dirty", "dirty_background"):
        absolute, percent = settings.get(f"{name}_bytes"), settings.get(f"{name}_ratio_percent")
        if absolute:
            limits.append(absolute)
        elif percent is not None and available:
            limits.append(percent * available // 100)
    return sum(limits) // 2 if len(limits) == 2 else None
