"""How far apart two sets of independent samples lie: the median difference with its interval, whatever the
distribution, as long as both have the same but for a shift.

Source: J. L. Hodges and E. L. Lehmann, Estimates of location based on rank tests, Annals of Mathematical
Statistics 34 (1963): the median of all differences, one sample of each set; its interval from the exact
distribution of H. B. Mann and D. R. Whitney's statistic (ibid. 18, 1947).
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from weir.analyse.student import quantile

MOST = 60
"""Samples of a set: of more, every second, third, … in the order of size is taken; differences are as many as
the product."""
FEWEST = 6
"""Of each set: as few as one median's interval takes."""


@dataclass(frozen=True)
class Shift:
    """The difference in the unit of the samples, and how far its interval reaches to either side; infinite
    where there are too few samples in a set."""

    middle: float
    below: float
    above: float


def shift_of(
    ones: Sequence[float], others: Sequence[float], confidence: float, fewest: int = FEWEST
) -> Shift:
    """By how much `ones` lie above `others`, neither empty. Where samples are too few for the confidence, the
    widest interval that they have is widened as Student's would be; of fewer than `fewest` there is none."""
    ones, others = _thinned(ones), _thinned(others)
    apart = sorted(one - other for one in ones for other in others)
    middle = statistics.median(apart)
    if min(len(ones), len(others)) < fewest:
        return Shift(middle, math.inf, math.inf)
    rank, reached = rank_of(len(ones), len(others), confidence)
    degrees = len(ones) + len(others) - 2
    wider = max(quantile(confidence, degrees) / quantile(reached, degrees), 1.0)
    return Shift(middle, wider * (middle - apart[rank]), wider * (apart[-1 - rank] - middle))


def _thinned(samples: Sequence[float]) -> Sequence[float]:
    every = -(-len(samples) // MOST)
    return sorted(samples)[(every - 1) // 2 :: every]


@lru_cache(maxsize=1024)
def rank_of(count: int, other: int, confidence: float) -> tuple[int, float]:
    """The number of the difference, counted from 0 from either end, that bounds an interval of that
    confidence, and the confidence that it has: less, where even the whole range has."""
    ways = _ways(count, other)
    total, tail, found = math.comb(count + other, count), 0, (0, 0.0)
    for rank, number in enumerate(ways):
        tail += number
        reached = 1 - 2 * tail / total
        if rank == 0 or reached >= confidence:
            found = (rank, reached)
        if reached < confidence:
            break
    return found


def _ways(count: int, other: int) -> list[int]:
    """In how many orders of both sets each number of pairs, up to half of all, is in inverse order: the
    coefficients of Gauss's binomial."""
    most = count * other // 2
    ways = [1] + [0] * most
    for factor in range(1, count + 1):
        for at in range(most, other + factor - 1, -1):
            ways[at] -= ways[at - other - factor]
        for at in range(factor, most + 1):
            ways[at] += ways[at - factor]
    return ways
