"""What a calibration found, as it is stored and shown; see docs/reference/results.md."""

from __future__ import annotations

from typing import Any

import msgspec

SCHEMA = 1


class Level(msgspec.Struct, kw_only=True):
    """A median in bytes a second with its 95 % interval; None for the interval where n is below 6."""

    n: int
    median: float
    low: float | None = None
    high: float | None = None


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


class Comparison(msgspec.Struct, kw_only=True):
    """A short way beside the plateau: `ratio` is its median over the plateau's."""

    way: str
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
    """That of all ranks of the node together."""
    written_bytes: int
    exhaustive_bytes: int
    """What a sweep in doublings up to four times the memory writes, with `exhaustive_samples` a size."""
    exhaustive_samples: int
    write: Side
    read: Side
    comparisons: list[Comparison] = []
    refused: dict[str, str] = {}
    """Short ways that the storage does not take, and why."""
    enough: dict[str, int] = {}
    """Short ways that give the same as large files, and the bytes a rank that suffice for it."""
    samples: list[dict[str, Any]] = []
    warnings: list[dict[str, Any]] = []

    @property
    def dropping_reaches_the_device(self) -> bool:
        """Small files that were dropped from the cache were read from the device, by the kernel's counts."""
        reads = [s for s in self.samples if s["way"] == "dropped" and s["direction"] == "read"]
        return bool(reads) and all(s["from_device"] is True for s in reads)

    @property
    def sides(self) -> dict[str, Side]:
        """Both sides by their names."""
        return {"write": self.write, "read": self.read}
