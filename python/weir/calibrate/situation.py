"""The wish and the machine put together: what a calibration will do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weir.analyse.statistics import FEWEST_SAMPLES
from weir.calibrate.facts import Bounds, Facts, bounds_of, facts_of
from weir.calibrate.sizes import exhaustive_sizes
from weir.calibrate.store import storage_of
from weir.drive.scratch import check_directory
from weir.errors import WeirError
from weir.launch.base import usable_cores
from weir.machine.card import machine_card

MOST_RANKS = 4
SHARE_OF_EXHAUSTIVE = 1 / 3
"""A calibration writes at most this share of what an exhaustive sweep writes."""
DEFAULT_BUDGET_S = 300.0


@dataclass(frozen=True)
class Wish:
    """What the person asked for; None leaves it to the machine."""

    directory: Path
    ranks: int | None = None
    transfer: int = 1 << 20
    budget_s: float = DEFAULT_BUDGET_S
    most_bytes: int | None = None
    """Of all ranks' files together."""
    launcher_name: str = "mpirun"


@dataclass(frozen=True)
class Situation:
    """All that is known before anything is measured."""

    storage: dict[str, Any]
    ranks: int
    facts: Facts
    bounds: Bounds

    @property
    def exhaustive_bytes(self) -> int:
        """What a sweep in doublings with as much rigour writes: so many samples of each size that it has an
        interval."""
        memory = self.facts.memory or self.bounds.range.most * self.ranks
        sizes = exhaustive_sizes(memory, self.ranks, self.bounds.range.least, self.bounds.range.multiple)
        return FEWEST_SAMPLES * self.ranks * sum(sizes)

    @property
    def most_written_bytes(self) -> int:
        """What a calibration may write."""
        return int(SHARE_OF_EXHAUSTIVE * self.exhaustive_bytes)


def situation_of(wish: Wish) -> Situation:
    """Look around. Raises WeirError (exit code 2) where nothing can be calibrated; leaves nothing behind."""
    check_directory(wish.directory)
    storage = storage_of(wish.directory)
    if storage["nature"] == "memory":
        raise WeirError(
            f"'{wish.directory}' lives in memory ({storage['type']})",
            "there is no device to find behind a cache",
            "name a directory on storage, such as one in your home",
        )
    ranks = wish.ranks or min(usable_cores(), MOST_RANKS)
    facts = facts_of(machine_card(wish.directory))
    return Situation(storage, ranks, facts, bounds_of(facts, ranks, wish.transfer, wish.most_bytes))
