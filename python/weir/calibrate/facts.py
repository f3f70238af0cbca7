"""What is known before anything is measured: memory, what of it can cache files, and space."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from weir.calibrate.search import LEAST_STEP, READ, WRITE, Range
from weir.calibrate.sizes import TIMES_MEMORY, round_up
from weir.errors import WeirError
from weir.results.cache import cacheable_bytes, dirty_limit_bytes
from weir.units import format_bytes

BEYOND = 1.3
"""The search starts with files this many times as large as what can be cached."""
SPACE_SHARE = 0.9
LEAST_REQUESTS = 4


@dataclass(frozen=True)
class Facts:
    """Bytes on this node; unknown is None."""

    memory: int | None = None
    """Of the machine, or as much as the control group allows."""
    cacheable: int | None = None
    write_cache: int | None = None
    """Unwritten bytes from which on the kernel holds writers back."""
    free: int | None = None
    """Space in the directory."""

    def expected(self, direction: str) -> int | None:
        """Where the cache must end for this direction."""
        known = [self.cacheable, self.write_cache if direction == WRITE else None]
        return min((size for size in known if size), default=None)


def facts_of(card: Mapping[str, Any]) -> Facts:
    """The facts in a machine card."""
    memory, group = card.get("memory") or {}, card.get("cgroup") or {}
    known = [memory.get("total_bytes"), group.get("memory_limit_bytes")]
    return Facts(
        memory=min((size for size in known if size), default=None),
        cacheable=cacheable_bytes(card),
        write_cache=dirty_limit_bytes(card),
        free=(card.get("file_system") or {}).get("available_bytes"),
    )


@dataclass(frozen=True)
class Bounds:
    """The sizes to search among, and what cut them short, in words; empty where nothing did."""

    range: Range
    cut: str = ""


def bounds_of(facts: Facts, ranks: int, transfer: int, most: int | None) -> Bounds:
    """Where to search. `most` bounds the bytes of all ranks' files together, as the person asked.

    Raises WeirError where not even small files fit, or where nothing is known and no bound was given.
    """
    limits = [
        (facts.memory and TIMES_MEMORY * facts.memory, ""),
        (most, f"--most {format_bytes(most or 0)}"),
        (facts.free and int(SPACE_SHARE * facts.free), f"the free space, {format_bytes(facts.free or 0)}"),
    ]
    known = [(size, name) for size, name in limits if size]
    if not known:
        raise WeirError("the size of memory is not known", "the kernel does not tell", "give --most 64GiB")
    top, name = min(known)
    per_rank = top // ranks // transfer * transfer
    if per_rank < 4 * LEAST_REQUESTS * transfer:
        raise WeirError(
            f"files of {format_bytes(max(per_rank, 0))} a rank are the largest possible",
            f"bounded by {name or 'memory'}",
            f"at least {format_bytes(4 * LEAST_REQUESTS * transfer)} a rank are needed",
        )
    return cut_to(wanted_range(facts, ranks, transfer, per_rank), per_rank, name)


def wanted_range(facts: Facts, ranks: int, transfer: int, per_rank: int) -> Range:
    """Beginning just beyond what can be cached."""
    start = round_up(BEYOND * facts.cacheable / ranks, transfer) if facts.cacheable else per_rank
    return Range(start, LEAST_REQUESTS * transfer, per_rank, transfer)


def cut_to(wanted: Range, most: int, name: str) -> Bounds:
    """The range with sizes of at most `most`; a search needs two, one about the double of the other."""
    multiple = wanted.multiple
    most = max(min(wanted.most, most), 2 * multiple) // multiple * multiple
    fits = wanted.start * LEAST_STEP <= most
    start = wanted.start if fits else max(most // (2 * multiple), 1) * multiple
    return Bounds(Range(start, min(wanted.least, start), most, multiple), "" if fits else name)


def was_seen(facts: Facts, direction: str, total: int, *, from_device: bool | None) -> bool:
    """Whether files of `total` bytes must be beyond the cache: by their size, or, of a read, since the
    kernel fetched them from the device."""
    expected = facts.expected(direction)
    return (expected is not None and total > expected) or (direction == READ and from_device is True)
