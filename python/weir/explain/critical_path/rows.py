"""The critical path as data."""

from dataclasses import dataclass

MOSTLY = 0.5


@dataclass(frozen=True)
class PathCall:
    """I/O calls of one function of one rank on one file, as far as they are on the path."""

    rank: int
    interface: str
    name: str
    kind: str
    file: str
    """"" for what is left of many."""
    calls: int
    seconds: float
    alone_s: float
    """Of that, in calls while which at least half of the other ranks waited."""

    @property
    def serial_s(self) -> float:
        """Its time, if most of it is alone: of others, only the slower end is."""
        return self.seconds if self.alone_s >= MOSTLY * self.seconds else 0.0


@dataclass(frozen=True)
class PathRank:
    """A rank's part of the path."""

    rank: int
    seconds: float
    io_s: float
    alone_s: float
    """In calls that are mostly made alone, while others wait."""


@dataclass(frozen=True)
class PathKind:
    """I/O calls of one function of all ranks on the path."""

    interface: str
    name: str
    kind: str
    calls: int
    seconds: float


@dataclass(frozen=True)
class CriticalPath:
    """From the run's end back: at each time the rank that the others depended on."""

    length_s: float
    io_s: float
    """In outermost I/O calls."""
    communication_s: float
    """In calls of MPI outside them."""
    turns: int
    """How often it goes from one rank to another."""
    ranks: tuple[PathRank, ...]
    """On it, the longest first."""
    kinds: tuple[PathKind, ...]
    """All of its I/O calls, the longest first."""
    calls: tuple[PathCall, ...]
    """Those of the longest time."""

    @property
    def alone_s(self) -> float:
        """In I/O calls that one rank makes while others wait."""
        return sum(rank.alone_s for rank in self.ranks)
