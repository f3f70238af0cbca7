"""What a calibration found, as it is stored and shown; see docs/reference/results.md."""

from collections.abc import Sequence
from typing import Any

import msgspec

from weir.analyse.statistics import estimate_median

SCHEMA = 1
READ, WRITE = "read", "write"
DIRECTIONS = (WRITE, READ)
WIDEST = 0.5
"""Of an interval wider than this share of its median, no statement is made about bandwidth."""


class Level(msgspec.Struct, kw_only=True):
    """A median in bytes a second with its 95 % interval; None for the interval where n is below 6."""

    n: int
    median: float
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, samples: Sequence[float]) -> "Level | None":
        """The level of the samples; None for no sample."""
        found = estimate_median(samples)
        return cls(n=found.count, median=found.median, low=found.low, high=found.high) if found else None

    @property
    def is_precise(self) -> bool:
        """Whether its interval is narrow enough for a statement about bandwidth."""
        if self.low is None or self.high is None:
            return False
        return (self.high - self.low) / self.median <= WIDEST

    def overlaps(self, other: "Level") -> bool | None:
        """Whether the intervals do; None where one does not exist."""
        if self.low is None or self.high is None or other.low is None or other.high is None:
            return None
        return self.low <= other.high and other.low <= self.high


class Size(msgspec.Struct, kw_only=True):
    """What was measured at one file size, in bytes a rank."""

    bytes: int
    level: Level
    flat: bool


class Side(msgspec.Struct, kw_only=True):
    """What was found of writing or of reading. Sizes are bytes a rank."""

    plateau: Level | None = None
    size_bytes: int | None = None
    """From this size on bandwidth no longer depends on it; None where that was not found."""
    below_bytes: int | None = None
    """The largest size measured that is not on the plateau; None where all are."""
    falls: bool = False
    """Below the plateau it is faster: between the two sizes lies a cliff."""
    seen: bool = False
    """The sizes are known to reach beyond the cache."""
    sure: bool = False
    """No sample at `below_bytes` lies among the plateau's; or all sizes are flat, precisely."""
    precise: bool = False
    """The plateau's interval is narrow enough for a statement about its bandwidth."""
    why: str = ""
    """What kept the search from finding more."""
    sizes: list[Size] = []


class Comparison(msgspec.Struct):
    """Short files in one cache mode against the plateau: `ratio` is their median over the plateau's."""

    mode: str = msgspec.field(name="way")
    direction: str
    size_bytes: int
    level: Level
    ratio: float
    agrees: bool
    overlaps: bool | None
    """Whether the intervals overlap; None where one does not exist."""


class Calibration(msgspec.Struct, kw_only=True):
    """One storage, as one node sees it."""

    schema: int = SCHEMA
    kind: str = "calibration"
    weir_version: str
    made_at: str
    took_s: float
    directory: str
    storage: dict[str, Any]
    """Host, mount point, type and source: what the calibration holds for."""
    memory: dict[str, int | None]
    """Bytes: `total`, `cacheable`, `write_cache`, as known before."""
    ranks: int
    transfer_bytes: int
    launcher: str
    verdict: str
    """`found` or `inconclusive`."""
    why: str = ""
    block_bytes: int | None = None
    """The size to use a rank, the larger one of writing and reading; None where there is none."""
    node_bytes: int | None = None
    """That of all ranks of the node."""
    written_bytes: int
    exhaustive_bytes: int
    """What a sweep in doublings up to four times the memory writes, with `exhaustive_samples` a size."""
    exhaustive_samples: int
    write: Side
    read: Side
    comparisons: list[Comparison] = []
    refused: dict[str, str] = {}
    """Cache modes that the storage refuses, and why."""
    enough: dict[str, int] = {}
    """Cache modes in which short files give the same as large ones, and the bytes a rank that suffice."""
    samples: list[dict[str, Any]] = []
    warnings: list[dict[str, Any]] = []

    @property
    def sides(self) -> dict[str, Side]:
        """Both sides by their names."""
        return {WRITE: self.write, READ: self.read}
