"""What is known before anything is measured, of the request, the machine and the storage, and what follows
from it: the sizes to search among, and how much may be written."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weir.analyse.statistics import FEWEST_SAMPLES
from weir.calibrate.search import TIMES_MEMORY, Range, exhaustive_sizes, round_up
from weir.calibrate.store import storage_of
from weir.errors import WeirError
from weir.launch.base import usable_cores
from weir.machine.card import machine_card
from weir.measure.scratch_directory import check_directory
from weir.results.page_cache import cacheable_bytes, dirty_limit_bytes
from weir.units import format_bytes

MOST_RANKS = 4
SHARE_OF_EXHAUSTIVE = 1 / 3
"""A calibration writes at most this share of what an exhaustive sweep writes, unless noise hides where the
plateau begins."""
BEYOND = 1.3
"""The search starts with files this many times as large as what can be cached."""
SPACE_SHARE = 0.9
LEAST_REQUESTS = 4


@dataclass(frozen=True)
class Request:
    """What the person asked for; None leaves it to the machine."""

    directory: Path
    ranks: int | None = None
    transfer: int = 1 << 20
    budget_s: float = 300.0
    most_bytes: int | None = None
    """Sum over all ranks' files."""
    launcher_name: str = "mpirun"


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


@dataclass(frozen=True)
class Bounds:
    """The sizes to search among, and what cut them short, in words; empty where nothing did."""

    range: Range
    cut: str = ""

    def cut_to(self, most: int, name: str) -> "Bounds":
        """With sizes of at most `most`, for want of what is named."""
        return Bounds(self.range.cut_to(most), "" if self.range.fits(most) else name)


@dataclass(frozen=True)
class Situation:
    """All that is known before anything is measured."""

    storage: dict[str, Any]
    ranks: int
    facts: Facts
    bounds: Bounds

    @property
    def exhaustive_bytes(self) -> int:
        """What an exhaustive sweep in doublings writes, with enough samples of each size for an interval."""
        sizes = self.bounds.range
        memory = self.facts.memory or sizes.most * self.ranks
        swept = exhaustive_sizes(memory, self.ranks, sizes.least, sizes.multiple)
        return FEWEST_SAMPLES * self.ranks * sum(swept)


def situation_of(request: Request) -> Situation:
    """Look around. Raises WeirError (exit code 2) where nothing can be calibrated; leaves nothing behind."""
    check_directory(request.directory)
    storage = storage_of(request.directory)
    if storage["nature"] == "memory":
        raise WeirError(
            f"'{request.directory}' lives in memory ({storage['type']})",
            "there is no device to find behind a cache",
            "name a directory on storage, such as one in your home",
        )
    card = machine_card(request.directory)
    memory, group = card.get("memory") or {}, card.get("cgroup") or {}
    known = [memory.get("total_bytes"), group.get("memory_limit_bytes")]
    facts = Facts(
        memory=min((size for size in known if size), default=None),
        cacheable=cacheable_bytes(card),
        write_cache=dirty_limit_bytes(card),
        free=(card.get("file_system") or {}).get("available_bytes"),
    )
    ranks = request.ranks or min(usable_cores(), MOST_RANKS)
    return Situation(storage, ranks, facts, bounds_of(facts, ranks, request.transfer, request.most_bytes))


def bounds_of(facts: Facts, ranks: int, transfer: int, most: int | None) -> Bounds:
    """Where to search, beginning just beyond what can be cached. `most` bounds the bytes of all ranks' files
    together, as the person asked.

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
    a_rank, least = top // ranks // transfer * transfer, LEAST_REQUESTS * transfer
    if a_rank < 4 * least:
        raise WeirError(
            f"files of {format_bytes(max(a_rank, 0))} a rank are the largest possible",
            f"bounded by {name or 'memory'}",
            f"at least {format_bytes(4 * least)} a rank are needed",
        )
    start = round_up(BEYOND * facts.cacheable / ranks, transfer) if facts.cacheable else a_rank
    return Bounds(Range(start, least, a_rank, transfer)).cut_to(a_rank, name)
