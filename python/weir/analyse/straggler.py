"""A rank that is the slowest again and again."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from weir.store.records import RankTimes, SampleRecord

CHANCE = 0.01
"""A rank is named if it were the slowest so often by chance less than once in a hundred such cases."""
LATE = 1.05
"""And only if the slowest takes this many times the mean over the ranks: somebody always comes last."""


@dataclass(frozen=True)
class Straggler:
    """The rank, in how many of the samples it was the slowest, and its time over the mean of all ranks, as
    the median of those samples."""

    rank: int
    times: int
    samples: int
    lateness: float


def find_straggler(samples: Sequence[SampleRecord]) -> Straggler | None:
    """The rank that comes last more often than chance would have it; None if there is none."""
    known = [(sample, step) for sample in samples if (step := _longest_step(sample)) is not None]
    ranks = max((sample.ranks or 1 for sample, _ in known), default=1)
    if ranks < 2:
        return None
    last = Counter(step.slowest_rank for _, step in known)
    rank, times = last.most_common(1)[0]
    if rank is None or ranks * _tail(len(known), times, 1 / ranks) >= CHANCE:
        return None
    late = [
        step.max_s / step.mean_s
        for _, step in known
        if step.slowest_rank == rank and step.max_s and step.mean_s
    ]
    lateness = statistics.median(late) if late else 1.0
    return Straggler(rank, times, len(known), lateness) if lateness >= LATE else None


def _longest_step(sample: SampleRecord) -> RankTimes | None:
    """The step that takes most of the phase, with who was slowest in it."""
    steps = [step for step in sample.times.values() if step.mean_s and step.slowest_rank is not None]
    return max(steps, key=lambda step: step.mean_s or 0.0, default=None)


def _tail(trials: int, successes: int, chance: float) -> float:
    """The probability of at least so many successes."""
    return sum(
        math.comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(successes, trials + 1)
    )
