"""The median of a few samples, and how far it can be trusted.

Run times and bandwidths are not normally distributed, so the interval comes from order statistics: for n
independent samples the number that fall below the true median is binomial (n, 1/2), whatever the
distribution. The interval from the k-th smallest to the k-th largest sample covers the median unless fewer
than k samples fall on one side of it.

Sampling stops when the answer is clear, so that the interval must hold at whatever count it stops (ADR 34).
The ranks k are therefore those of a sequential test: the probability that the interval misses the median at
ANY count up to n is at most 5 % of it spent so far, and below 5 % for ever.

Sources: G. J. Hahn and W. Q. Meeker, Statistical Intervals (1991), distribution-free intervals for a
percentile; J.-Y. Le Boudec, Performance Evaluation of Computer and Communication Systems (2010), chapter 2;
T. Hoefler and R. Belli, Scientific Benchmarking of Parallel Computing Systems, SC'15, doi
10.1145/2807591.2807644; K. K. G. Lan and D. L. DeMets, Discrete sequential boundaries for clinical trials,
Biometrika 70 (1983), for the spending of the error.
"""

import functools
import itertools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from weir.units import count_words

CONFIDENCE = 0.95
FEWEST_SAMPLES = 6
"""Below this no interval from order statistics covers the median with 95 %: 1 - 2 * 2^-5 is 93.75 %."""


@dataclass(frozen=True)
class MedianEstimate:
    """A median with its interval, all in the unit of the samples. `low` and `high` are known or None as a
    pair, and `why` says why."""

    count: int
    median: float
    low: float | None
    high: float | None
    coverage: float | None
    why: str | None

    @property
    def relative_width(self) -> float | None:
        """Full width of the interval as a share of the median; None where there is no interval or the
        median is 0."""
        if self.low is None or self.high is None or self.median == 0:
            return None
        return (self.high - self.low) / abs(self.median)


def _spent(error: float, count: int) -> float:
    """The share of the error that may be used up after so many samples: 5/8 at six, for its interval of 97 %,
    the rest slowly."""
    return error * (1 - 3 / 8 * math.sqrt(FEWEST_SAMPLES / max(count, FEWEST_SAMPLES)))


class _Boundary:
    """The ranks for one confidence, computed as far as they were asked for."""

    def __init__(self, confidence: float) -> None:
        self._error = 1 - confidence
        self._used = 0.0
        self._ranks = [0]
        self._missed = [0.0]
        self._least = 0
        """Samples below the median, of the first of `_chances`."""
        self._chances = [1.0]
        """That so many samples lie below the median, and the interval held at every count before."""

    def at(self, count: int) -> tuple[int, float]:
        """The rank, 0 where there is none, and the chance that an interval up to here misses the median."""
        while len(self._ranks) <= count:
            self._step()
        return self._ranks[count], self._missed[count]

    def _step(self) -> None:
        count = len(self._ranks)
        before = [0.0, *self._chances, 0.0]
        self._chances = [(one + other) / 2 for one, other in pairwise(before)]
        allowed = _spent(self._error, count) - self._used + 1e-15
        misses, rank = 0.0, self._least
        while rank < count // 2:
            # With rank + 1 it would also miss the median where `rank` samples lie on one side of it.
            more = 2 * self._chances[rank - self._least]
            if misses + more > allowed:
                break
            misses, rank = misses + more, rank + 1
        cut = rank - self._least
        self._chances = self._chances[cut : len(self._chances) - cut]
        self._least, self._used = rank, self._used + misses
        self._ranks.append(rank)
        self._missed.append(self._used)


_boundaries: dict[float, _Boundary] = {}


def interval_rank(count: int, confidence: float = CONFIDENCE) -> tuple[int, float] | None:
    """The greatest k whose k-th smallest and k-th largest of `count` samples enclose the median, with the
    same rule at every smaller count, with that confidence.

    Returns (k, coverage reached), k counting from 1; None where even the extremes do not suffice.
    """
    rank, missed = _boundaries.setdefault(confidence, _Boundary(confidence)).at(count)
    return (rank, 1 - missed) if rank else None


@functools.cache
def fewest_samples(confidence: float = CONFIDENCE) -> int:
    """The least count that has an interval of that confidence: 6 for 95 %, more where several hold."""
    return next(count for count in itertools.count(1) if interval_rank(count, confidence))


def estimate_median(samples: Sequence[float], confidence: float = CONFIDENCE) -> MedianEstimate | None:
    """Median and interval of the samples; None for no sample at all. The samples must be finite."""
    if not samples:
        return None
    ordered = sorted(samples)
    middle = statistics.median(ordered)
    found = interval_rank(len(ordered), confidence)
    if found is None:
        taken = count_words(len(ordered), "sample")
        why = f"{taken}; a {confidence:.0%} interval needs at least {FEWEST_SAMPLES}"
        return MedianEstimate(len(ordered), middle, None, None, None, why)
    k, coverage = found
    return MedianEstimate(len(ordered), middle, ordered[k - 1], ordered[-k], coverage, None)


NO_INTERVAL = "no interval"
"""In place of "inconclusive", where so few samples were taken that nothing could have been concluded."""


def lacks_interval(phase: str, samples: int) -> str:
    """ "1 sample of write has no interval, which takes 6"."""
    taken = count_words(samples, f"sample of {phase} has", f"samples of {phase} have")
    return f"{taken} no interval, which takes {FEWEST_SAMPLES}"
