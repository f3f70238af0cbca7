"""When a case has enough samples, and the samples and verdict of each case."""

import math
import statistics
from dataclasses import dataclass, field
from enum import StrEnum

from weir.analyse.statistics import FEWEST_SAMPLES, estimate_median, lacks_interval
from weir.study.case import Case
from weir.units import count_words, format_share


class Verdict(StrEnum):
    """How a case came out."""

    PRECISE = "precise"
    INCONCLUSIVE = "inconclusive"
    FAILED = "failed"
    SIMULATED = "simulated"
    """A model gave its number, and another sample would be the same."""


@dataclass(frozen=True)
class Goals:
    """When a case is settled. `precision` is the full width of the 95 % interval over the median."""

    precision: float = 0.05
    min_samples: int = FEWEST_SAMPLES
    max_samples: int = 30
    fresh: bool = False
    """Whether each sample is of a launch of its own."""


@dataclass
class CaseState:
    """A case with its samples and, once it is settled, its verdict.

    All samples of the machine's main state count, those of the first round too: a median hardly feels one
    slow first sample, and to drop one would be to decide for the reader what belongs to the storage and what
    does not.
    """

    case: Case
    values: dict[str, list[float]] = field(default_factory=dict)
    """Values of the metric by phase, of samples of the machine's main state."""
    set_aside: int = 0
    """Samples of other states, or during which it changed, of the phase that has most of them."""
    durations_s: list[float] = field(default_factory=list)
    """How long the case took in each launch, start and clean-up included."""
    deaths: list[str] = field(default_factory=list)
    """What ended the launches that died of it since it last came to its end."""
    verdict: Verdict | None = None
    why: str = ""

    @property
    def samples(self) -> int:
        """Samples of the phase that has fewest of them."""
        return min(map(len, self.values.values())) if self.values else 0

    def width(self) -> float:
        """Relative width of the widest phase's interval; infinite where there is no interval yet. Phases that
        always give 0, since they move no bytes, have none to wait for."""
        widths = [_relative_width(values) for values in self.values.values() if any(values)]
        return max(widths, default=math.inf)

    def expected_s(self, prior_s: float) -> float:
        """How long the case will take next time: the median of the past, before that the prior."""
        return statistics.median(self.durations_s) if self.durations_s else prior_s

    def settle(self, verdict: Verdict, why: str) -> None:
        """Give the verdict; the first one stands."""
        if self.verdict is None:
            self.verdict, self.why = verdict, why


def judge(state: CaseState, goals: Goals) -> tuple[Verdict, str] | None:
    """The verdict that the samples allow, with the reason; None while more samples are needed."""
    if state.samples < goals.min_samples:
        return None
    if state.width() <= goals.precision:
        return Verdict.PRECISE, describe_width(state)
    if state.samples >= goals.max_samples:
        few = state.samples < FEWEST_SAMPLES
        end = f"; the study allows no more than {goals.max_samples}" if few else ", the most allowed"
        return Verdict.INCONCLUSIVE, describe_width(state, end)
    return None


def describe_width(state: CaseState, end: str = "") -> str:
    """How wide the interval is, in words, and after how many samples; `end` follows that number."""
    if not state.values:
        return "no sample was taken"
    phase = max(state.values, key=lambda name: (any(state.values[name]), _relative_width(state.values[name])))
    width = _relative_width(state.values[phase])
    verb = "is" if state.set_aside == 1 else "are"
    aside = count_words(state.set_aside, "more sample")
    of_others = f"; {aside} {verb} set aside for the state of the machine" if state.set_aside else ""
    after = count_words(state.samples, "sample")
    if math.isinf(width) and len(state.values[phase]) >= FEWEST_SAMPLES:
        return f"the median of {phase} is 0, of which an interval is no share, after {after}{end}{of_others}"
    if math.isinf(width):
        return lacks_interval(phase, len(state.values[phase])) + end + of_others
    return f"the interval for {phase} is {format_share(width)} wide after {after}{end}{of_others}"


def _relative_width(values: list[float]) -> float:
    estimate = estimate_median(values)
    width = estimate.relative_width if estimate else None
    return math.inf if width is None else width
