"""What is dumped, by how many ranks, and where to."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

GRIDS = {2: ("2x1x1",), 4: ("2x2x1",), 8: ("2x2x2", "8x1x1", "1x1x8")}
"""Process grids by ranks, the fastest-varying dimension first: as square as can be, or cut along one only."""


@dataclass(frozen=True)
class Place:
    """A directory to dump to."""

    name: str
    directory: Path
    cached: bool
    """Whether a dump ends in memory, so that the exchange and not a device decides."""


@dataclass(frozen=True)
class Case:
    """A cube of doubles in blocks."""

    edge: int
    ranks: int
    grid: str
    place: Place

    @property
    def name(self) -> str:
        """For people, and for --only."""
        return f"{self.edge}^3 {self.ranks} ranks {self.grid} {self.place.name}"

    def program(self, program: Path) -> tuple[str, ...]:
        """The command line of its ranks."""
        return (str(program), "--edge", str(self.edge), "--grid", *self.grid.split("x"))


def grids_of(ranks: int) -> tuple[str, ...]:
    """Those above; for other rank counts both one-dimensional ones."""
    return GRIDS.get(ranks, (f"{ranks}x1x1", f"1x1x{ranks}"))


def all_cases(edge: int, ranks: Sequence[int], places: Sequence[Place]) -> list[Case]:
    """Every grid of every rank count in every place; those of the same ranks and grid follow each other."""
    return [Case(edge, n, grid, place) for n in ranks for grid in grids_of(n) for place in places]


def by_ranks(cases: Sequence[Case]) -> Iterator[list[Case]]:
    """Cases that the same launches serve."""
    for _, group in itertools.groupby(cases, key=lambda case: (case.ranks, case.grid)):
        yield list(group)
