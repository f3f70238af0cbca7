"""The time that ranks spend in I/O calls: what a forecast is of. What a program does beside its calls, such
as computing, its library, and touching its own memory for the first time, is not in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from weir.analyse.paired import Turn, ratio_of_neighbours
from weir.analyse.statistics import MedianEstimate, estimate_median
from weir.store.records import SampleRecord

KINDS = {"open": "opens", "transfer": "reads and writes", "sync": "syncs", "close": "closes"}
"""What a sample tells the time of, in words."""


@dataclass(frozen=True)
class Calls:
    """In seconds, the mean over the ranks: of each kind of call, and of all; where the application was
    measured too, its own, and the forecast over it minus 1."""

    of_kinds: Mapping[str, MedianEstimate]
    all: MedianEstimate
    measured: MedianEstimate | None
    error: MedianEstimate | None
    """The ratio of the two."""

    def as_data(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "mean_over_ranks": _data(self.all),
            "of": {kind: _data(one) for kind, one in self.of_kinds.items()},
            "measured": self.measured and _data(self.measured),
            "error": self.error
            and {
                "error": self.error.median - 1,
                "low": None if self.error.low is None else self.error.low - 1,
                "high": None if self.error.high is None else self.error.high - 1,
                "pairs": self.error.count,
            },
        }


def _data(one: MedianEstimate) -> dict[str, Any]:
    return {"median_s": one.median, "low_s": one.low, "high_s": one.high, "samples": one.count}


Samples = Mapping[Turn, list[SampleRecord]]


def time_in_calls(benchmark: Samples, application: Samples | None) -> Calls | None:
    """Of passes over all phases; None where no sample tells it."""
    found = {turn: times for turn, some in benchmark.items() if (times := _of_pass(some)) is not None}
    whole = {turn: sum(times.values()) for turn, times in found.items()}
    estimate = estimate_median(list(whole.values()))
    if estimate is None:
        return None
    by_kind = {kind: estimate_median([times[kind] for times in found.values()]) for kind in KINDS}
    real = {
        turn: sum(times.values())
        for turn, some in (application or {}).items()
        if (times := _of_pass(some)) is not None
    }
    return Calls(
        {kind: one for kind, one in by_kind.items() if one is not None},
        estimate,
        estimate_median(list(real.values())),
        ratio_of_neighbours(whole, real) if real else None,
    )


def _of_pass(samples: list[SampleRecord]) -> dict[str, float] | None:
    """Seconds by kind, the mean over the ranks; None where a sample lacks one."""
    sums = dict.fromkeys(KINDS, 0.0)
    for sample in samples:
        for kind in KINDS:
            times = sample.times.get(kind)
            if times is None or times.mean_s is None:
                return None
            sums[kind] += times.mean_s
    return sums
