"""How much results differ from run to run, and how far two sides surely lie apart: each of one run or more.

Two runs of one program on one machine differ by more than their samples show: other nodes, other blocks of
the disk, other neighbours. A difference is sure where it is larger than that. All is of natural logarithms,
so that 0.05 is 5 %.

Source of the moderated variances: G. K. Smyth, Linear models and empirical Bayes methods for assessing
differential expression in microarray experiments, Statistical Applications in Genetics and Molecular Biology
3 (2004): a variance of few runs is drawn to that of all rows, by as much as the rows resemble each other.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from weir.analyse.shift import shift_of
from weir.analyse.student import digamma, quantile, trigamma, trigamma_inverse

ASSUMED = 0.05
"""The standard deviation from run to run where nobody has measured it."""
LEAST = 1e-4
"""Standard deviation below which nothing is told apart: clocks are not better."""

Runs = Sequence[Sequence[float]]
"""The samples of each run of a side, positive, in the order of time."""


@dataclass(frozen=True)
class Variation:
    """The standard deviation of a row from run to run, and of how many degrees of freedom it comes; infinite
    where it was given."""

    deviation: float = ASSUMED
    degrees: float = math.inf


@dataclass(frozen=True)
class Apart:
    """`one` over `other` as a ratio with its interval, null where no sample count allows one."""

    ratio: float
    low: float | None
    high: float | None


def apart(one: Runs, other: Runs, variation: Variation, confidence: float) -> Apart:
    """How many times as large the side `one` is. Where both are of one run, the samples' own spread and the
    variation add up; of more runs, their medians tell both."""
    if len(one) == len(other) == 1:
        logs = [[math.log(value) for value in side[0]] for side in (one, other)]
        shift = shift_of(logs[0], logs[1], confidence)
        between = quantile(confidence, variation.degrees) * math.sqrt(2) * variation.deviation
        return _apart(shift.middle, math.hypot(shift.below, between), math.hypot(shift.above, between))
    ones, others = medians_of(one), medians_of(other)
    error = variation.deviation * math.sqrt(1 / len(ones) + 1 / len(others))
    reach = quantile(confidence, variation.degrees) * error
    return _apart(statistics.fmean(ones) - statistics.fmean(others), reach, reach)


def apart_in_turns(one: Runs, other: Runs, variation: Variation, confidence: float) -> Apart:
    """The same of as many runs of both, made in turns: `variation` is that of the ratios of their medians."""
    ratios = [mine - yours for mine, yours in zip(medians_of(one), medians_of(other), strict=True)]
    reach = quantile(confidence, variation.degrees) * variation.deviation / math.sqrt(len(ratios))
    return _apart(statistics.fmean(ratios), reach, reach)


def _apart(middle: float, below: float, above: float) -> Apart:
    known = math.isfinite(below + above)
    low, high = (math.exp(middle - below), math.exp(middle + above)) if known else (None, None)
    return Apart(math.exp(middle), low, high)


def medians_of(side: Runs) -> list[float]:
    """The logarithm of each run's median."""
    return [math.log(statistics.median(samples)) for samples in side]


def least_sure(variation: Variation, confidence: float) -> float:
    """The smallest factor between two single runs that can be told, however many samples they have."""
    return math.exp(quantile(confidence, variation.degrees) * math.sqrt(2) * variation.deviation)


def variations(rows: Sequence[tuple[Runs, ...]], assumed: float = ASSUMED) -> list[Variation]:
    """That of each row, of whose sides at least one in all has several runs; `assumed` where none has."""
    found = [_spread(row) for row in rows]
    told = [(square, degrees) for square, degrees in found if degrees]
    if not told:
        return [Variation(assumed)] * len(rows)
    prior = _prior(told)
    return [_moderated(square, degrees, prior, assumed) for square, degrees in found]


def _spread(sides: tuple[Runs, ...]) -> tuple[float, int]:
    """The variance of the runs of each side around its mean, and its degrees of freedom."""
    medians = [medians_of(side) for side in sides]
    degrees = sum(len(side) - 1 for side in medians)
    squares = sum((len(side) - 1) * statistics.variance(side) for side in medians if len(side) > 1)
    return (max(squares / degrees, LEAST**2) if degrees else 0.0), degrees


@dataclass(frozen=True)
class _Prior:
    """The variance that rows resemble, the degrees of freedom that this knowledge is worth to each of them,
    and those that it comes from."""

    variance: float
    weight: float
    degrees: int


def _prior(told: Sequence[tuple[float, int]]) -> _Prior:
    total = sum(degrees for _, degrees in told)
    pooled = sum(square * degrees for square, degrees in told) / total
    if len(told) == 1:
        return _Prior(pooled, 0.0, total)
    logs = [math.log(square) - digamma(degrees / 2) + math.log(degrees / 2) for square, degrees in told]
    excess = statistics.variance(logs) - statistics.fmean(trigamma(degrees / 2) for _, degrees in told)
    if excess <= 0:
        return _Prior(pooled, math.inf, total)
    half = trigamma_inverse(excess)
    return _Prior(math.exp(statistics.fmean(logs) + digamma(half) - math.log(half)), 2 * half, total)


def _moderated(square: float, degrees: int, prior: _Prior, assumed: float) -> Variation:
    if not prior.weight and not degrees:
        return Variation(assumed)
    variance = prior.variance if degrees >= FEWEST_DEGREES else max(prior.variance, assumed**2)
    if math.isinf(prior.weight):
        return Variation(math.sqrt(variance), prior.degrees)
    known = (prior.weight * variance + degrees * square) / (prior.weight + degrees)
    return Variation(math.sqrt(known), min(prior.weight + degrees, prior.degrees))


FEWEST_DEGREES = 2
"""Fewer tell too little of one row, and of how much rows resemble each other."""
