"""The page cache: how much a machine's can take, and where bandwidth falls as files outgrow it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from weir.analyse.paired import ALIKE
from weir.results.quantity_words import measured_words
from weir.results.row import Row, measured, median_of
from weir.units import format_bytes

DROP_SHARE = 0.5


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


@dataclass(frozen=True)
class Drop:
    """From `before` to `after`, the next size, bandwidth falls to less than half of `best`, a smaller size's.

    `ends_cache`: there the page cache ends, rather than something in front of it.
    """

    best: Row
    before: Row
    after: Row
    ends_cache: bool


def find_drops(rows: list[Row], limit_bytes: int | None) -> list[Drop]:
    """All drops along one curve, each decided by the whole interval of the slower size.

    A write's drop is the page cache's end if `limit_bytes` is reached or not known; a read's, if its data
    no longer came from memory.
    """
    drops: list[Drop] = []
    best: Row | None = None
    before: Row | None = None
    for row in sorted((row for row in measured(rows) if row.data_bytes), key=_size):
        if best and before and row.high is not None and row.high < DROP_SHARE * median_of(best):
            drops.append(Drop(best, before, row, _ends_cache(row, limit_bytes)))
            best = row
        elif best is None or median_of(row) > median_of(best):
            best = row
        before = row
    return drops


def _ends_cache(after: Row, limit_bytes: int | None) -> bool:
    if after.phase == "write":
        return limit_bytes is None or _size(after) >= limit_bytes
    return not after.suspect


def decline(rows: list[Row]) -> tuple[Row, float] | None:
    """The largest size, if its whole interval lies below the best by more than nobody minds."""
    known = [row for row in measured(rows) if row.data_bytes]
    largest, best = max(known, key=_size), max(known, key=median_of)
    if largest.high is None or largest.high * ALIKE >= median_of(best):
        return None
    return largest, median_of(largest) / median_of(best)


def cache_limit(row: Row, card: Mapping[str, Any]) -> tuple[int | None, str]:
    """Up to how many bytes the page cache helps such a phase, null where that is not known, and what that
    limit is."""
    if row.direction == "write":
        return dirty_limit_bytes(card), "the point where the kernel makes writers wait"
    return cacheable_bytes(card), "the memory available for caching"


def drop_words(drop: Drop) -> str:
    """Between which sizes, and from what to what."""
    edge = f"between {format_bytes(_size(drop.before))} and {format_bytes(_size(drop.after))}"
    return f"{edge}, from {measured_words(drop.best)} down to {measured_words(drop.after)}"


def likely_cause(drop: Drop, card: Mapping[str, Any]) -> str:
    """In a few words."""
    if drop.ends_cache:
        return "the page cache ends"
    cpu = card.get("cpu") or {}
    largest = max((cache["size_bytes"] for cache in cpu.get("caches") or []), default=0)
    if "cold-memory" in drop.after.warnings:
        return "likely memory that the host had to back first"
    ends = _size(drop.before) <= largest * (cpu.get("sockets") or 1) < _size(drop.after)
    if ends and drop.after.phase != "write":
        return f"likely the processor's cache ({format_bytes(largest)})"
    return "cause unknown"


def why_no_cliff(rows: list[Row], limit_bytes: int | None, limit_name: str) -> str:
    """Why no cliff was seen: the files were too small, nobody knows what is large, or there is none."""
    largest = format_bytes(max(map(_size, rows)))
    if limit_bytes is None:
        return f"the largest file was {largest}, and where {limit_name} lies is not known"
    limit = format_bytes(limit_bytes)
    if max(map(_size, rows)) < limit_bytes:
        return f"the largest file, {largest}, is below {limit_name}, {limit}"
    return f"files of up to {largest} passed {limit_name}, {limit}, without losing half of the bandwidth"


def _size(row: Row) -> int:
    return row.data_bytes or 0
