"""What was simulated beside what the same pattern took on the machine itself."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from weir.analyse.statistics import MedianEstimate
from weir.replay.outcomes import PhaseOutcome
from weir.simulate.fit import summary
from weir.simulate.result import Simulation
from weir.store.records import AnyRecord, SampleRecord
from weir.units import format_share


@dataclass(frozen=True)
class Beside:
    """A phase on so many ranks: simulated (s), and measured over the repetitions."""

    ranks: int
    phase: str
    simulated_s: float
    measured: MedianEstimate

    @property
    def error(self) -> float:
        """Simulated over measured, minus 1."""
        return self.simulated_s / self.measured.median - 1

    def as_data(self) -> dict[str, Any]:
        """For programs."""
        return {
            "ranks": self.ranks,
            "phase": self.phase,
            "simulated_s": self.simulated_s,
            "measured_s": self.measured.median,
            "low_s": self.measured.low,
            "high_s": self.measured.high,
            "samples": self.measured.count,
            "error": self.error,
        }


def warm(records: Iterable[AnyRecord]) -> list[AnyRecord]:
    """Without the first repetition of each launch, where there are others: it touches the ranks' memory for
    the first time, which is no I/O of the pattern."""
    all_of_them = [*records]
    later = [one for one in all_of_them if not (isinstance(one, SampleRecord) and one.repetition == 0)]
    return later if any(isinstance(one, SampleRecord) for one in later) else all_of_them


def beside(simulated: Simulation, measured: Iterable[PhaseOutcome]) -> list[Beside]:
    """The phases that are in both, in the order of the simulation."""
    times = {one.name: one.time for one in measured if one.time.median > 0}
    return [
        Beside(simulated.ranks, phase.name, phase.time_s, times[phase.name])
        for phase in simulated.phases
        if phase.name in times
    ]


def errors_in_words(found: Sequence[Beside]) -> str:
    """The median and the worst."""
    errors = [abs(one.error) for one in found]
    if not errors:
        return "nothing to compare: no phase was measured"
    middle, worst = summary(errors)
    return f"median error {format_share(middle)}, worst {format_share(worst)} of {len(errors)} phases"
