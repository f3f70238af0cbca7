"""One measured phase of one case, as findings, figures and report see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from weir.analyse.detail import Detail
from weir.analyse.metric import BANDWIDTH, Metric
from weir.findings.printed import Printed

DISTURBANCES = {
    "oversubscribed": "more ranks than cores",
    "spinning": "waiting ranks spin",
    "busy": "machine busy",
    "placement": "ranks not placed as asked",
    "cold-memory": "memory slow at first touch",
    "floor": "floors raised the gas",
}


@dataclass(frozen=True)
class Row:
    """Median of one phase in the unit of its metric, with its 95 % interval [`low`, `high`].

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
    metric: Metric = BANDWIDTH
    detail: Detail = field(default_factory=Detail, repr=False)
    yields: bool | None = None
    """Whether waiting ranks yield their core, null where the MPI does not say."""
    benchmark: str = "storage"
    env: Mapping[str, str] = field(default_factory=dict)
    mpi_io: str | None = None
    """The implementation of MPI-IO that the study asked for; null where it left that to the MPI."""
    application: bool = False
    """Whether an application moved the data for its own ends, and nothing was done about caches."""
    printed: tuple[Printed, ...] = ()
    """What others printed of the same case on their machines."""

    @property
    def inconclusive(self) -> bool:
        """True where the interval stayed wider than wanted, or does not exist."""
        return self.verdict != "precise" or self.low is None

    @property
    def honest(self) -> bool:
        """True where the number can be the storage's: a synced write, a read known to come from the device,
        or a rate of operations.
        """
        if self.moves == "write":
            return self.sync in ("close", "write")
        return self.suspect is False if self.moves == "read" else True

    @property
    def through_cache(self) -> bool:
        """True where nothing was done to keep the page cache out, however the data went in the end."""
        if self.application:
            return self.moves is not None
        if self.moves == "write":
            return self.sync == "never"
        return self.moves == "read" and not self.cache_methods

    @property
    def moves(self) -> str | None:
        """`write` or `read` where the number is a bandwidth, a check being a read with its verification
        inside; null where it is a rate of operations."""
        if self.metric != BANDWIDTH:
            return None
        if self.phase in ("write", "read"):
            return self.phase
        return "read" if self.sync is None else "write"

    @property
    def direction(self) -> str:
        """What its numbers are set beside: writes or reads, or else the phase by its name."""
        return self.moves or self.phase

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
        if self.moves == "write" and self.sync == "never":
            found.append("not synced")
        if self.moves == "read" and self.suspect is None and not self.application:
            found.append("source of data unknown")
        found += [DISTURBANCES.get(code, code) for code in self.warnings]
        return tuple(dict.fromkeys(found))


def measured(rows: list[Row]) -> list[Row]:
    """Rows that have a number."""
    return [row for row in rows if row.median is not None]


def median_of(row: Row) -> float:
    """The median of a row that has one."""
    assert row.median is not None
    return row.median


def directions(rows: list[Row]) -> list[str]:
    """The directions and other phases that have a number: `write`, `read`, then the rest as they come."""
    found = dict.fromkeys(row.direction for row in measured(rows))
    return sorted(found, key=lambda name: {"write": 0, "read": 1}.get(name, 2))
