"""One measured phase of one case, as findings, figures and report see it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from weir.analyse.detail import Detail
from weir.analyse.metric import UNMEASURED, Metric, value_under
from weir.analyse.statistics import MedianEstimate
from weir.core.vocabulary import NO_WORDS, Vocabulary
from weir.results.marks import Mark
from weir.results.printed import Printed
from weir.store.records import FinishedRecord, ReplayRecord, SampleRecord

FITS_IN_CACHE, IN_CACHES = "fits-in-cache", "in the caches"
"""The warning of samples whose data on a node are less than four times its last cache, and its words."""
DISTURBANCES = {
    FITS_IN_CACHE: IN_CACHES,
    "oversubscribed": "more ranks than cores",
    "spinning": "waiting ranks spin",
    "busy": "machine busy",
    "placement": "ranks not placed as asked",
    "slow-blas-kernel": "an old kernel of the BLAS",
    "crowded-threads": "more threads than CPUs",
    "cold-memory": "memory slow at first touch",
    "floor": "floors raised density or pressure",
    "few-digits": "time printed with two digits at most",
    "synchronous": "asynchronous accesses made one after the other",
    "own-disks": "each node on a disk of its own",
}
SIMULATED = "simulated"
"""The warning of samples that no machine gave, but a model of one; and its words."""
OF_DATES = frozenset({"clocks"})
"""Warnings of launches that concern what is dated, and no number."""
TOO_FEW = "too few samples for an interval"
ALL_CACHED, PARTLY_CACHED, CACHED_UNKNOWN = "", ", in part", ", wholly or in part"
CACHE_EXTENTS = (ALL_CACHED, PARTLY_CACHED, CACHED_UNKNOWN)
"""How much of what rows measured in the caches was in them."""


@dataclass(frozen=True)
class Measured:
    """A metric of a phase, with its median and interval."""

    metric: Metric
    estimate: MedianEstimate


@dataclass(frozen=True)
class Row:
    """Median of one phase in the unit of its metric, with its 95 % interval [`low`, `high`].

    `median` is null without samples, the interval is null below six. `suspect` says whether any sample
    cannot have come from the device, null where that is not known. `warnings` are codes of the protocol, of
    its samples and of their launches.
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
    label: str = ""
    comparisons: tuple[str, ...] = ()
    data_bytes: int | None = None
    sync: str | None = None
    cache_methods: tuple[str, ...] = ()
    suspect: bool | None = None
    suspect_why: str | None = None
    verdict_why: str | None = None
    warnings: tuple[str, ...] = ()
    own_warnings: tuple[str, ...] = ()
    """Those of its samples alone."""
    suspect_share: float | None = None
    """Share of the suspect samples among those where that is known."""
    samples: tuple[float, ...] = field(default=(), repr=False)
    records: tuple[SampleRecord, ...] = field(default=(), repr=False)
    finished: FinishedRecord | None = None
    """The end of the case; null while it has none."""
    metric: Metric = UNMEASURED
    metrics: tuple[Measured, ...] = ()
    """All metrics of its samples, the result first."""
    moves: str | None = None
    """`write` or `read` where the number is a bandwidth of files; both is `write`, a check is `read`."""
    detail: Detail = field(default_factory=Detail, repr=False)
    yields: bool | None = None
    """Whether waiting ranks yield their core, null where the MPI does not say."""
    benchmark: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    mpi_io: str | None = None
    """The implementation of MPI-IO that the study asked for; null where it left that to the MPI."""
    node: str | None = None
    """The host that it ran on by itself; null where the launcher chose."""
    placement: Mapping[str, Any] = field(default_factory=dict)
    """Where the study wanted its ranks: `nodes`, `ranks_per_node`, `threads`, `binding`."""
    nodes: int | None = None
    """Over how many nodes its ranks lay, of those that worked together; the fewest of its samples, null where
    that is not known."""
    application: bool = False
    """Whether an application ran, and moved data for its own ends: nothing was done about caches."""
    printed: tuple[Printed, ...] = ()
    """What others printed of the same case on their machines."""
    marks: tuple[Mark, ...] = ()
    """What others printed of such cases, for the figures of its comparisons."""
    replay: ReplayRecord | None = None
    """Of a case that carried out a pattern in place of its benchmark."""
    vocabulary: Vocabulary = field(default=NO_WORDS, repr=False, compare=False)
    """What values of its options are called."""
    place: str = ""
    """Where others printed the number, such as "table 2"; empty of what Weir measured."""
    set_aside: int = 0
    """Samples that are not among its own: the machine was in another state, or changed it."""

    @property
    def lacks_interval(self) -> bool:
        """True where it has a number and too few samples for its interval."""
        return self.median is not None and self.low is None and not self.simulated

    @property
    def simulated(self) -> bool:
        """Whether a model of a machine gave its number: more samples would be the same."""
        return SIMULATED in self.own_warnings

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
    def in_caches(self) -> bool:
        """Whether the processor's caches were measured in place of memory; `cache_extent` says how much."""
        return FITS_IN_CACHE in self.own_warnings

    @property
    def within_node(self) -> bool:
        """Whether all its ranks were on one node, and what they sent went through its memory."""
        return self.nodes == 1 and self.ranks > 1

    @property
    def on_storage(self) -> bool:
        """Whether it uses a directory."""
        return self.moves is not None or "dir" in self.options

    @property
    def direction(self) -> str:
        """What its numbers are compared with: writes or reads, or else the phase by its name."""
        return self.moves or self.phase

    @property
    def flags(self) -> tuple[str, ...]:
        """What a reader must know before he believes the number, in words."""
        found = []
        if self.lacks_interval:
            found.append(TOO_FEW)
        if self.suspect:
            found.append("cache-suspect")
        if self.moves == "write" and self.sync == "never":
            found.append("not synced")
        if self.moves == "read" and self.suspect is None and not self.application:
            found.append("source of data unknown")
        found += [DISTURBANCES.get(code, code) for code in self.warnings]
        return tuple(dict.fromkeys(found))


def cache_extent(rows: Iterable[Row]) -> str:
    """That of rows in the caches: all of it where the data fitted the last cache of their node, else a part;
    unknown where the samples differ in that or do not say."""
    records = (one for row in rows for one in row.records)
    in_caches = (one for one in records if any(told.code == FITS_IN_CACHE for told in one.warnings))
    found = {_extent(one) for one in in_caches}
    return found.pop() if len(found) == 1 else CACHED_UNKNOWN


def _extent(sample: SampleRecord) -> str:
    match sample.details:
        case {"node_bytes": int(data), "last_cache_bytes": int(cache)}:
            return ALL_CACHED if data <= cache else PARTLY_CACHED
    return CACHED_UNKNOWN


def measured(rows: Iterable[Row]) -> list[Row]:
    """Rows that have a number."""
    return [row for row in rows if row.median is not None]


def median_of(row: Row) -> float:
    """The median of a row that has one."""
    assert row.median is not None
    return row.median


def with_metric(row: Row, key: str | None) -> Row | None:
    """The row with another number of its samples in place of their result, by its key; itself for no key,
    null where its samples have no such number."""
    found = next((one for one in row.metrics if one.metric.key == key), None)
    if key is None or found is None:
        return row if key is None else None
    values = [(record, value_under(record, key)) for record in row.records]
    used = [(record, value) for record, value in values if value is not None]
    estimate = found.estimate
    return replace(
        row,
        metric=found.metric,
        metrics=(found,),
        n=estimate.count,
        median=estimate.median,
        low=estimate.low,
        high=estimate.high,
        records=tuple(record for record, _ in used),
        samples=tuple(value for _, value in used),
    )


def by_metric(rows: Iterable[Row]) -> list[list[Row]]:
    """The measured rows of each metric: what one axis can hold."""
    found: dict[Metric, list[Row]] = {}
    for row in measured(rows):
        found.setdefault(row.metric, []).append(row)
    return list(found.values())


def directions(rows: list[Row]) -> list[str]:
    """The directions and other phases that have a number: `write`, `read`, then the rest as they come."""
    found = dict.fromkeys(row.direction for row in measured(rows))
    return sorted(found, key=lambda name: {"write": 0, "read": 1}.get(name, 2))
