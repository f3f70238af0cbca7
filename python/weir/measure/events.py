"""What happens while a study runs, for whoever watches."""

from dataclasses import dataclass
from typing import Protocol

from weir.measure.scheduler import PlannedLaunch
from weir.measure.stopping_rule import CaseState
from weir.store.records import FailureRecord, SampleRecord, Warning


@dataclass(frozen=True)
class Status:
    """How far the study is."""

    cases: int = 0
    settled: int = 0
    failed: int = 0
    samples: int = 0
    elapsed_s: float = 0.0
    budget_s: float = 0.0

    @property
    def at_most_left_s(self) -> float:
        """Time left of the budget: how long it will still take at most, nearly."""
        return max(self.budget_s - self.elapsed_s, 0.0)


@dataclass(frozen=True)
class Note:
    """Something that the person should know, such as a repaired file or a warning of a launch."""

    text: str


@dataclass(frozen=True)
class LaunchStarted:
    """A launch is about to start."""

    number: int
    planned: PlannedLaunch


@dataclass(frozen=True)
class SampleTaken:
    """A sample is on disk."""

    state: CaseState
    sample: SampleRecord


@dataclass(frozen=True)
class LaunchWarned:
    """The core warned about the launch as a whole."""

    warning: Warning


@dataclass(frozen=True)
class CaseFailed:
    """A case, or a whole launch (state None), failed."""

    state: CaseState | None
    failure: FailureRecord


@dataclass(frozen=True)
class CaseSettled:
    """A case got its verdict."""

    state: CaseState


@dataclass(frozen=True)
class LaunchEnded:
    """A launch has ended, however it did."""

    number: int
    planned: PlannedLaunch
    took_s: float


Event = Note | LaunchStarted | SampleTaken | LaunchWarned | CaseFailed | CaseSettled | LaunchEnded


class Watcher(Protocol):
    """Somebody who watches; must be quick, since the study waits."""

    def tell(self, event: Event, status: Status) -> None:
        """Take note."""
        ...


class NobodyWatches:
    """Takes no note."""

    def tell(self, event: Event, status: Status) -> None:
        """Nothing."""
