"""The median of a few samples, and how far it can be trusted.

Run times and bandwidths are not normally distributed, so the interval comes from order statistics: for n
independent samples the number that fall below the true median is binomial (n, 1/2), whatever the
distribution. The interval from the k-th smallest to the k-th largest sample covers the median with
probability 1 - 2 P(B <= k - 1).

Sources: G. J. Hahn and W. Q. Meeker, Statistical Intervals (1991), distribution-free intervals for a
percentile; J.-Y. Le Boudec, Performance Evaluation of Computer and Communication Systems (2010), chapter 2;
T. Hoefler and R. Belli, Scientific Benchmarking of Parallel Computing Systems, SC'15, doi
10.1145/2807591.2807644.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

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


@lru_cache(maxsize=1024)
def interval_rank(count: int, confidence: float = CONFIDENCE) -> tuple[int, float] | None:
    """The greatest k whose k-th smallest and k-th largest of `count` samples enclose the median with that
    confidence.

    Returns (k, coverage reached), k counting from 1; None where even the extremes do not suffice.
    """
    tail, best = 0.0, None
    for k in range(1, count // 2 + 1):
        tail += math.comb(count, k - 1) / 2**count
        coverage = 1 - 2 * tail
        if coverage < confidence:
            break
        best = (k, coverage)
    return best


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


def verdict_words(verdict: str | None, samples: int) -> str | None:
    """The verdict, or that there is no interval to base one on."""
    return NO_INTERVAL if verdict == "inconclusive" and samples < FEWEST_SAMPLES else verdict


def lacks_interval(phase: str, samples: int) -> str:
    """ "1 sample of write has no interval, which takes 6"."""
    taken = count_words(samples, f"sample of {phase} has", f"samples of {phase} have")
    return f"{taken} no interval, which takes {FEWEST_SAMPLES}"
