"""What the page cache does to the numbers: how much it flatters, and where it ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from weir.findings.row import Row, measured, median_of
from weir.units import format_bytes

DROP_SHARE = 0.5


@dataclass(frozen=True)
class Cliff:
    """Bandwidth through the cache falls to less than half between the file sizes of `before` and `after`."""

    before: Row
    after: Row


def find_cliff(rows: list[Row]) -> Cliff | None:
    """The first size whose whole interval lies below half of the best median at smaller sizes, for one
    phase's rows.
    """
    points = sorted((row for row in measured(rows) if row.data_bytes), key=lambda row: row.data_bytes or 0)
    for index, row in enumerate(points[1:], start=1):
        best = max(map(median_of, points[:index]))
        if row.high is not None and row.high < DROP_SHARE * best:
            return Cliff(points[index - 1], row)
    return None


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


def no_cliff_words(rows: list[Row], limit_bytes: int | None, limit_name: str) -> str:
    """Why no cliff was seen; `limit_bytes` is where one is expected."""
    largest = max((row.data_bytes or 0 for row in measured(rows)), default=0)
    if not largest:
        return "no file of known size was measured"
    if limit_bytes is None:
        return f"the largest file was {format_bytes(largest)}, and where {limit_name} lies is not known"
    if largest < limit_bytes:
        return (
            f"the largest file, {format_bytes(largest)}, is below {limit_name}, {format_bytes(limit_bytes)}"
        )
    limit = format_bytes(limit_bytes)
    return f"files of up to {format_bytes(largest)} passed {limit_name}, {limit}, without losing half"
