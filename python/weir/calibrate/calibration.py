"""What a calibration found, as it is kept: docs/reference/results.md says what each key means."""

from collections.abc import Sequence
from typing import Any

import msgspec

from weir.analyse.statistics import estimate_median

SCHEMA = 1
READ, WRITE = "read", "write"
DIRECTIONS = (WRITE, READ)
WIDEST = 0.5
"""Of an interval wider than this share of its median, no statement is made about bandwidth."""


class Sample(msgspec.Struct, frozen=True):
    """A direction of one file size, in bytes a rank and bytes a second."""

    mode: str = msgspec.field(name="way")
    size: int
    direction: str
    bandwidth: float
    from_device: bool | None
    """Whether a read's bytes came from the device, by the kernel's counts; None if unknown, or a write."""
    started_at: str | None


class Level(msgspec.Struct, kw_only=True):
    """A median in bytes a second with its 95 % interval; None for the interval where n is below 6."""

    n: int
    median: float
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, samples: Sequence[float]) -> "Level":
        """The level of one or more samples."""
        found = estimate_median(samples)
        assert found is not None
        return cls(n=found.count, median=found.median, low=found.low, high=found.high)

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
    """What was measured at one file size, in bytes a rank; `flat` where it is on the plateau."""

    bytes: int
    level: Level
    flat: bool


class Side(msgspec.Struct, kw_only=True):
    """What was found of writing or of reading, in bytes a rank."""

    plateau: Level | None = None
    size_bytes: int | None = None
    below_bytes: int | None = None
    falls: bool = False
    seen: bool = False
    """The sizes are known to reach beyond the cache."""
    sure: bool = False
    """Where the plateau begins is distinct from noise."""
    precise: bool = False
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


class Calibration(msgspec.Struct, kw_only=True):
    """One storage, as one node sees it."""

    schema: int = SCHEMA
    kind: str = "calibration"
    weir_version: str
    made_at: str
    took_s: float
    directory: str
    storage: dict[str, Any]
    memory: dict[str, int | None]
    ranks: int
    transfer_bytes: int
    launcher: str
    verdict: str
    why: str = ""
    block_bytes: int | None = None
    node_bytes: int | None = None
    written_bytes: int
    exhaustive_bytes: int
    exhaustive_samples: int
    write: Side
    read: Side
    comparisons: list[Comparison] = []
    refused: dict[str, str] = {}
    enough: dict[str, int] = {}
    samples: list[Sample] = []
    warnings: list[dict[str, Any]] = []

    @property
    def sides(self) -> dict[str, Side]:
        """Both sides by their names."""
        return {WRITE: self.write, READ: self.read}
