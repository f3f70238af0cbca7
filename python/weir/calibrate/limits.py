"""What is known before anything is measured, of the request, the machine and the storage, and what follows
from it: the sizes to search among, and how much may be written."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from weir.analyse.statistics import FEWEST_SAMPLES
from weir.calibrate.search import TIMES_MEMORY, Sizes, exhaustive_sizes, round_up
from weir.calibrate.store import storage_of
from weir.errors import WeirError
from weir.launch.base import usable_cores
from weir.machine.card import machine_card
from weir.measure.scratch_directory import check_directory
from weir.storage.cache_cliff import cacheable_bytes, dirty_limit_bytes
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
class Situation:
    """All that is known before anything is measured. Bytes are those of the node; unknown is None."""

    request: Request
    storage: dict[str, Any]
    ranks: int
    memory: dict[str, int | None]
    """`total`, of the machine, or as much as the control group allows; `cacheable`; `write_cache`: unwritten
    bytes from which on the kernel holds writers back."""
    free: int | None
    """Space in the directory."""

    @property
    def sizes(self) -> Sizes:
        """Where to search, beginning just beyond what can be cached.

        Raises WeirError where not even small files fit, or where nothing is known and no bound was given.
        """
        most, transfer = self.request.most_bytes, self.request.transfer
        memory, cacheable = self.memory["total"], self.memory["cacheable"]
        limits = [
            (memory and TIMES_MEMORY * memory, ""),
            (most, f"--most {format_bytes(most or 0)}"),
            (self.free and int(SPACE_SHARE * self.free), f"the free space, {format_bytes(self.free or 0)}"),
        ]
        known = [(size, name) for size, name in limits if size]
        if not known:
            raise WeirError(
                "the size of memory is not known", "the kernel does not tell", "give --most 64GiB"
            )
        top, name = min(known)
        a_rank, least = top // self.ranks // transfer * transfer, LEAST_REQUESTS * transfer
        if a_rank < 4 * least:
            raise WeirError(
                f"files of {format_bytes(a_rank)} a rank are the largest possible",
                f"bounded by {name or 'memory'}",
                f"at least {format_bytes(4 * least)} a rank are needed",
            )
        start = round_up(BEYOND * cacheable / self.ranks, transfer) if cacheable else a_rank
        return Sizes(start, least, a_rank, transfer).cut_to(a_rank, name)

    @property
    def exhaustive_bytes(self) -> int:
        """What an exhaustive sweep in doublings writes, with enough samples of each size for an interval."""
        sizes = self.sizes
        memory = self.memory["total"] or sizes.most * self.ranks
        swept = exhaustive_sizes(memory, self.ranks, sizes.least, sizes.multiple)
        return FEWEST_SAMPLES * self.ranks * sum(swept)

    @property
    def warm_bytes(self) -> int:
        """Memory to touch before anything is measured: as much as the files can fill."""
        return min(self.sizes.most * self.ranks, self.memory["cacheable"] or 0)

    def as_data(self) -> dict[str, Any]:
        """For `--json`."""
        facts = {"memory": self.memory["total"], **self.memory, "free": self.free}
        del facts["total"]
        sizes = asdict(self.sizes)
        bounds = {"range": sizes, "cut": sizes.pop("cut")}
        return {"storage": self.storage, "ranks": self.ranks, "facts": facts, "bounds": bounds}


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
    known = [size for size in (memory.get("total_bytes"), group.get("memory_limit_bytes")) if size]
    return Situation(
        request,
        storage,
        ranks=request.ranks or min(usable_cores(), MOST_RANKS),
        memory={
            "total": min(known, default=None),
            "cacheable": cacheable_bytes(card),
            "write_cache": dirty_limit_bytes(card),
        },
        free=(card.get("file_system") or {}).get("available_bytes"),
    )
