"""The lines of `samples.jsonl` as types; see docs/reference/results.md. Unknown keys and kinds are
ignored."""

import re
from typing import Any, Literal

import msgspec

from weir.errors import message
from weir.store.migration import completed

SAMPLE_SCHEMA = 2
"""It came with `metrics` and `details`; before, each number and each benchmark's own facts were keys."""
OTHER_SCHEMA = 1
"""Of all other kinds of lines."""

_METRICS: dict[str, tuple[str, str, str]] = {
    "bandwidth_bytes_per_s": ("B/s", "bandwidth", "higher"),
    "operations_per_s": ("1/s", "rate", "higher"),
    "elapsed_s": ("s", "time", "lower"),
    "compute_s": ("s", "time computing", "lower"),
    "cell_updates_per_s": ("1/s", "rate of computing", "higher"),
}
_DETAILS = (
    *("interface", "layout", "opening", "file_bytes", "opened_by_ranks"),
    *("cells", "ranks_along", "method", "steps", "ended", "unresolved", "dumps", "cycles", "raised"),
    *("totals", "io"),
)


def schema_of(kind: str) -> int:
    """The schema of lines of that kind, as this Weir and its core write them."""
    return SAMPLE_SCHEMA if kind == "sample" else OTHER_SCHEMA


def migrated(line: dict[str, Any]) -> dict[str, Any]:
    """The line as it would be written today."""
    if line.get("kind") != "sample" or line.get("schema", 1) != 1:
        return line
    # The time was the result where there was neither a bandwidth nor a rate.
    has_rate = any(line.get(key) is not None for key in ("bandwidth_bytes_per_s", "operations_per_s"))
    known = [key for key in _METRICS if line.get(key) is not None and not (has_rate and key == "elapsed_s")]
    gone = {*_METRICS, *_DETAILS} - {"elapsed_s"}
    return {
        **{key: value for key, value in line.items() if key not in gone},
        **_moved(line),
        "schema": SAMPLE_SCHEMA,
        "metrics": [_metric(key, line[key]) for key in known],
        "details": {key: line[key] for key in _DETAILS if key in line},
    }


def _metric(key: str, value: Any) -> dict[str, Any]:
    unit, noun, better = _METRICS[key]
    return {
        "key": key,
        "value": value,
        "unit": unit,
        "noun": noun,
        "better": better,
        "over_ranks": "slowest",
    }


def _moved(line: dict[str, Any]) -> dict[str, Any]:
    """Which way the bytes went, where the line does not say: writing phases are named so, or say when they
    sync."""
    if line.get("bytes") is None or line.get("bytes_written") is not None:
        return {}
    writes = line.get("phase") == "write" or (line.get("phase") != "read" and line.get("sync") is not None)
    return {
        "bytes_written": line["bytes"] if writes else 0,
        "bytes_read": 0 if writes else line["bytes"],
    }


class RankTimes(msgspec.Struct):
    """Minimum, mean and maximum over the ranks of the time one step took."""

    min_s: float | None = None
    mean_s: float | None = None
    max_s: float | None = None
    slowest_rank: int | None = None


class Latency(msgspec.Struct):
    """How long single requests of one kind took, over all ranks; a percentile is None where too few were
    timed.

    `histogram` holds (upper bound in s, requests) of each bin that is not empty, its bounds apart by
    `relative_error`.
    """

    timed: int | None = None
    operations: int | None = None
    min_s: float | None = None
    mean_s: float | None = None
    max_s: float | None = None
    slowest_rank: int | None = None
    p50_s: float | None = None
    p90_s: float | None = None
    p95_s: float | None = None
    p99_s: float | None = None
    p99_9_s: float | None = None
    relative_error: float | None = None
    histogram: list[tuple[float, int]] = []


class Timeline(msgspec.Struct):
    """Bytes finished in each interval since the phase's start."""

    interval_s: float
    bytes: list[int] = []


class HintAsked(msgspec.Struct):
    """A hint that was asked for and what became of it: `in force`, `changed`, `ignored` or `unproven`."""

    hint: str
    value: str | None = None
    in_force: str | None = None
    state: str | None = None


class Cache(msgspec.Struct):
    """What was done against measuring a cache, and whether one was measured all the same."""

    methods: list[str] = []
    resident_before_share: float | None = None
    device_bytes: int | None = None
    suspect: bool | None = None
    why: str | None = None


class ScreenPlace(msgspec.Struct, frozen=True):
    """Where a number stands on the first screen of results, and its label there."""

    place: int
    label: str


class MetricRecord(msgspec.Struct, frozen=True):
    """One number of a sample with all that it takes to show it: see docs/reference/protocol.md. `value` is in
    `unit`, None where it is unknown; `over_ranks` says how it comes from the ranks' own."""

    key: str
    value: float | None = None
    unit: str = ""
    noun: str = ""
    better: Literal["higher", "lower"] = "higher"
    over_ranks: str | None = None
    decimal: bool = False
    first_screen: ScreenPlace | None = None


class Warning(msgspec.Struct):
    """Something seen that makes numbers worth less, and what to do about it."""

    code: str
    problem: str = ""
    why: str = ""
    advice: str = ""


class Record(msgspec.Struct, tag_field="kind", kw_only=True):
    """What every line has: the pass over the cases and the launch it came from; None on Weir's own lines."""

    round: int | None = None
    launch: int | None = None


class ReplayRecord(msgspec.Struct, frozen=True):
    """What a case carries out in place of its benchmark: a pattern. `lost` is what the parameters of an
    imitation cannot express, the greatest loss first, by phase and direction; `preparing` the phase that only
    makes files."""

    fidelity: float
    lost: dict[str, dict[str, list[str]]] = {}
    preparing: str | None = None


class CaseRecord(Record, tag="case"):
    """What a case is, written before anything of it runs."""

    case: str
    benchmark: str
    label: str = ""
    ranks: int = 1
    env: dict[str, str] = {}
    options: dict[str, Any] = {}
    mpi_io: str | None = None
    node: str | None = None
    """The host that it runs on by itself; None where the launcher chooses."""
    placement: dict[str, Any] = {}
    """Where its ranks were wanted: `nodes`, `ranks_per_node`, `threads`, `binding`, each where asked for."""
    comparisons: list[str] = []
    replay: ReplayRecord | None = None
    inexact: list[str] = []
    """Why the pattern that it carries out is not exactly what a program requested."""


class LeftOutRecord(Record, tag="left_out"):
    """A case of the study that cannot be measured here, and why."""

    label: str
    comparisons: list[str] = []
    why: str = ""


class NodePlace(msgspec.Struct):
    """A node of a launch."""

    host: str | None = None
    ranks: int | None = None
    cores: int | None = None


class RankPlace(msgspec.Struct):
    """Where a rank of a launch ran: hardware threads as the kernel lists them."""

    rank: int | None = None
    host: str | None = None
    cpus: str | None = None
    cores: int | None = None
    packages: int | None = None


class LaunchRecord(Record, tag="launch"):
    """Where and how a launch ran."""

    version: str | None = None
    started_at: str | None = None
    ranks: int | None = None
    nodes: list[NodePlace] = []
    placement: list[RankPlace] = []
    mpi: dict[str, Any] = {}
    environment: dict[str, str] = {}
    load: dict[str, Any] = {}
    stall_limit_s: float | None = None
    """After it without progress, ranks tell of each other; None where nobody watches."""
    warnings: list[Warning] = []


class HandOff(msgspec.Struct):
    """How long a cache line takes from core to core, one way, on the slowest and on the fastest node."""

    max: float | None = None
    min: float | None = None
    nodes: int | None = None


class StateRecord(Record, tag="state"):
    """In which state the machine is, between two cases; `why` there is no time."""

    probed_at: str | None = None
    handoff_ns: HandOff | None = None
    cpus: list[int] | None = None
    why: str | None = None


class BeginRecord(Record, tag="begin"):
    """A case starts."""

    case: str


class SampleRecord(Record, tag="sample"):
    """One timed phase of one repetition of one case."""

    case: str
    phase: str
    benchmark: str = ""
    repetition: int = 0
    started_at: str | None = None
    ranks: int | None = None
    backend: str | None = None
    bytes: int | None = None
    bytes_read: int | None = None
    bytes_written: int | None = None
    operations: int | None = None
    files: int | None = None
    elapsed_s: float | None = None
    first_done_s: float | None = None
    last_done_s: float | None = None
    tail_cut: bool | None = None
    times: dict[str, RankTimes] = {}
    sync: str | None = None
    data: str | None = None
    cache: Cache | None = None
    latency: dict[str, Latency] | None = None
    timeline: Timeline | None = None
    system: dict[str, int | float | None] | None = None
    by_rank: list[dict[str, Any]] | None = None
    hints: dict[str, str] | None = None
    hints_asked: list[HintAsked] | None = None
    verification: dict[str, Any] | None = None
    metrics: list[MetricRecord] = []
    """The first that has a value is the result."""
    details: dict[str, Any] = {}
    """For the figures and tables of its own benchmark."""
    warnings: list[Warning] = []


class FailureRecord(Record, tag="failure"):
    """A case that could not run, or read back wrong data; `case` is None for a failure of a whole launch."""

    case: str | None = None
    benchmark: str | None = None
    exit_code: int = 3
    problem: str = ""
    reason: str | None = None
    suggestion: str | None = None
    rank: int | None = None
    host: str | None = None
    signal: int | None = None
    wrong_words: dict[str, Any] | None = None

    @property
    def message(self) -> str:
        """The failure as `problem (why). Suggestion`; of a rank on one of several nodes with these."""
        where = f"rank {self.rank} on {self.host}: " if self.benchmark and self.host else ""
        return where + message(self.problem, self.reason, self.suggestion)


class DiedRecord(Record, tag="died"):
    """A launch that did not come to its own end and is tried again once: no failure yet. `cases` are those
    to which that is attributed."""

    cases: list[str]
    reason: str = ""
    rank: int | None = None
    host: str | None = None
    signal: int | None = None


class FinishedRecord(Record, tag="finished"):
    """No more samples of this case will be taken in this run, and why."""

    case: str
    verdict: str
    samples: int = 0
    why: str = ""


class EndRecord(Record, tag="end"):
    """The launch came to its own end."""

    exit_code: int = 0


AnyRecord = (
    CaseRecord
    | LeftOutRecord
    | LaunchRecord
    | StateRecord
    | BeginRecord
    | SampleRecord
    | FailureRecord
    | DiedRecord
    | FinishedRecord
    | EndRecord
)

KINDS: dict[str, type[Record]] = {
    str(kind.__struct_config__.tag): kind
    for kind in (
        CaseRecord,
        LeftOutRecord,
        LaunchRecord,
        StateRecord,
        BeginRecord,
        SampleRecord,
        FailureRecord,
        DiedRecord,
        FinishedRecord,
        EndRecord,
    )
}


def to_record(line: dict[str, Any]) -> AnyRecord | None:
    """The record of a decoded line of this schema or an older one; None for a kind not known. Raises
    msgspec.ValidationError for a malformed one."""
    kind = line.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        return None
    current = completed(migrated(line)) if kind == "sample" else line
    record: AnyRecord = msgspec.convert(current, AnyRecord, strict=False)
    return record


_SAMPLE_OF_TODAY = re.compile(rb'\{"schema": ?2, ?"kind": ?"sample"')
_decode_sample = msgspec.json.Decoder(SampleRecord, strict=False).decode


def sample_of(line: bytes) -> SampleRecord | None:
    """The sample that a line of today's core holds, in a quarter of the time of to_record(); None for any
    other line, and for one that cannot be read."""
    if not _SAMPLE_OF_TODAY.match(line) or line.count(b'"decimal"') < line.count(b'"noun"'):
        return None  # an older core's metrics are to be completed
    try:
        return _decode_sample(line.decode())  # a key that is no UTF-8 would only be skipped
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
