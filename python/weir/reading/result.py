"""What a reader makes of another benchmark's output: launches with their samples."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from weir.store.records import MetricRecord, Warning


@dataclass(frozen=True)
class ReadCase:
    """What was measured: `label` sets it apart in its `comparison`, `order` gives its place there."""

    benchmark: str
    ranks: int
    options: Mapping[str, Any]
    comparison: str
    label: str
    order: tuple[int, ...] = ()


@dataclass(frozen=True)
class ReadSample:
    """One measurement of a case, in the numbers that were printed."""

    case: ReadCase
    phase: str
    metrics: tuple[MetricRecord, ...]
    details: Mapping[str, Any]
    warnings: tuple[Warning, ...] = ()


@dataclass(frozen=True)
class ReadFailure:
    """A printed result that is not to be believed; `{file}` in its problem stands for the file's name."""

    case: ReadCase
    problem: str
    reason: str
    suggestion: str
    exit_code: int


@dataclass(frozen=True)
class ReadLeftOut:
    """What the output does not tell, and why; `{file}` as in a failure."""

    comparison: str
    label: str
    why: str


@dataclass
class ReadLaunch:
    """What one start of the benchmark printed. `facts` are what it said of itself and of its machine, null
    where it did not."""

    facts: Mapping[str, Any]
    machine: str | None
    """The machine in its words; null where it named none."""
    started_at: str | None
    """By the machine's clock, whose zone is not known."""
    mpi_standard: str | None
    samples: list[ReadSample] = field(default_factory=list)
    failures: list[ReadFailure] = field(default_factory=list)
    left_out: list[ReadLeftOut] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What the person should know; `{file}` as in a failure."""

    @property
    def ranks(self) -> int | None:
        """Its processes; null without a sample."""
        return max((sample.case.ranks for sample in self.samples), default=None)

    @property
    def fingerprint(self) -> object:
        """Equal for two launches only if both are the same one."""
        printed = [(sample.case.options, sample.metrics) for sample in self.samples]
        return repr((dict(self.facts), [(sorted(options.items(), key=str), m) for options, m in printed]))
