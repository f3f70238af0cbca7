"""One measured phase of one case, as findings, figures and report see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

DISTURBANCES = {
    "oversubscribed": "more ranks than cores",
    "spinning": "waiting ranks spin",
    "busy": "machine busy",
    "placement": "ranks not placed as asked",
    "cold-memory": "memory slow at first touch",
}


@dataclass(frozen=True)
class Row:
    """Median bandwidth of one phase in bytes/s with its 95 % interval [`low`, `high`].

    `median` is null without samples, the interval is null below six. `suspect` says whether any sample
    cannot have come from the device, null where that cannot be told. `warnings` are codes of the protocol.
    """

    case: str
    phase: str
    ranks: int
    options: Mapping[str, Any]
    n: int
    median: float | None
    low: float | None
    high: float | None
    verdict: str
    comparisons: tuple[str, ...] = ()
    data_bytes: int | None = None
    sync: str | None = None
    cache_methods: tuple[str, ...] = ()
    suspect: bool | None = None
    suspect_why: str | None = None
    verdict_why: str | None = None
    warnings: tuple[str, ...] = ()
    samples: tuple[float, ...] = field(default=(), repr=False)

    @property
    def inconclusive(self) -> bool:
        """True where the interval stayed wider than wanted, or does not exist."""
        return self.verdict != "precise" or self.low is None

    @property
    def honest(self) -> bool:
        """True where the number can be the storage's: a synced write, or a read known to come from the
        device.
        """
        if self.phase == "write":
            return self.sync in ("close", "write")
        return self.suspect is False

    @property
    def through_cache(self) -> bool:
        """True where nothing was done to keep the page cache out, however the data went in the end."""
        return self.sync == "never" if self.phase == "write" else not self.cache_methods

    @property
    def direction(self) -> str:
        """`write` or `read`; a check is a read with its verification inside."""
        return "write" if self.phase == "write" else "read"

    @property
    def flags(self) -> tuple[str, ...]:
        """What a reader must know before he believes the number, in words."""
        found = []
        if self.n and self.low is None:
            found.append("too few samples for an interval")
        elif self.verdict == "inconclusive":
            found.append("inconclusive")
        if self.suspect:
            found.append("cache-suspect")
        if self.phase == "write" and self.sync == "never":
            found.append("not synced")
        if self.phase != "write" and self.suspect is None:
            found.append("source of data unknown")
        found += [DISTURBANCES.get(code, code) for code in self.warnings]
        return tuple(dict.fromkeys(found))


def measured(rows: list[Row]) -> list[Row]:
    """Rows that have a number."""
    return [row for row in rows if row.median is not None]


def median_of(row: Row) -> float:
    """The median in bytes/s of a row that has one."""
    assert row.median is not None
    return row.median
