"""Intervals of many ratios from few rounds, which hold all together.

Each ratio has one value a round: what it compares was measured shortly one after the other and shares what
the machine went through, and rounds are launches of their own. With hundreds of ratios and eight rounds,
order statistics have no interval of the confidence that each must have; so this takes the logarithms for
roughly symmetric, and guards against their tails:

- the centre is the mean without the smallest and the largest sixth, its spread that of the values moved in to
  what is left (K. K. Yuen, The two-sample trimmed t for unequal population variances, Biometrika 61 (1974));
- with few rounds a spread is hardly known, but that of the other ratios tells what is usual: each is drawn
  towards it, the more the less they differ among each other (G. K. Smyth, Linear models and empirical Bayes
  methods for assessing differential expression, Stat. Appl. Genet. Mol. Biol. 3 (2004), section 6.2);
- each of N intervals may miss with 1/N of the error (Bonferroni's inequality), whether they depend on each
  other or not.
"""

import functools
import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

FEWEST_ROUNDS = 6
TRIMMED = 6
"""One value of so many is left out at each end."""
FEWEST_TO_LEARN_FROM = 20
"""Ratios that tell what spread is usual."""
MOST_FREEDOM = 200.0
_LEAST_VARIANCE = 1e-8
"""Of logarithms: values equal by chance, or by a coarse clock, are no proof that there is no spread."""


@dataclass(frozen=True)
class RatioEstimate:
    """A ratio with its interval, from so many rounds."""

    ratio: float
    low: float
    high: float
    rounds: int


@dataclass(frozen=True)
class _Trimmed:
    centre: float
    variance: float
    """Of one value, such that the centre's is this by `kept`."""
    kept: int
    rounds: int

    @property
    def freedom(self) -> int:
        return self.kept - 1


def ratios_together(samples: Sequence[Sequence[float]], error: float = 0.05) -> list[RatioEstimate]:
    """An estimate for each list of ratios, one value a round, at least FEWEST_ROUNDS of them. The chance that
    any of the intervals misses its ratio is at most `error`."""
    found = [_trimmed([math.log(value) for value in one]) for one in samples]
    usual, freedom = _usual_spread(found) if len(found) >= FEWEST_TO_LEARN_FROM else (0.0, 0.0)
    return [_estimate(one, usual, freedom, error / len(found)) for one in found]


def _estimate(one: _Trimmed, usual: float, freedom: float, error: float) -> RatioEstimate:
    variance = (freedom * usual + one.freedom * one.variance) / (freedom + one.freedom)
    reach = t_quantile(error / 2, math.floor(freedom + one.freedom)) * math.sqrt(variance / one.kept)
    ratio, low, high = (math.exp(one.centre + step) for step in (0, -reach, reach))
    return RatioEstimate(ratio, low, high, one.rounds)


def _trimmed(logs: Sequence[float]) -> _Trimmed:
    ordered, count = sorted(logs), len(logs)
    cut = count // TRIMMED
    kept = ordered[cut : count - cut]
    moved = [min(max(value, kept[0]), kept[-1]) for value in ordered]
    variance = _variance(moved) * (count - 1) / (len(kept) - 1)
    return _Trimmed(statistics.fmean(kept), max(variance, _LEAST_VARIANCE), len(kept), count)


def _variance(values: Sequence[float]) -> float:
    mean = statistics.fmean(values)  # statistics.variance counts in fractions, a hundred times as long
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1)


def _usual_spread(found: Sequence[_Trimmed]) -> tuple[float, float]:
    """The usual variance, and as how many degrees of freedom it counts: many where the variances differ no
    more than chance makes them differ."""
    logs = [math.log(one.variance) - _digamma(one.freedom / 2) + math.log(one.freedom / 2) for one in found]
    by_chance = statistics.fmean(_trigamma(one.freedom / 2) for one in found)
    beyond = _variance(logs) - by_chance
    least = _trigamma(MOST_FREEDOM / 2)
    freedom = 2 * _solve(lambda half: _trigamma(half) <= beyond, 1e-3) if beyond > least else MOST_FREEDOM
    centre = statistics.fmean(logs) + _digamma(freedom / 2) - math.log(freedom / 2)
    return math.exp(centre), freedom


@functools.cache
def t_quantile(error: float, freedom: int) -> float:
    """What a value of Student's distribution exceeds with that probability, at most 1/2."""
    return _solve(lambda t: _t_tail(t, freedom) <= error, 1e-9)


def _t_tail(t: float, freedom: int) -> float:
    """The probability of more, for whole degrees of freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4)."""
    angle = math.atan2(t, math.sqrt(freedom))
    square, odd = math.cos(angle) ** 2, freedom % 2
    term = math.sin(angle) * (math.cos(angle) if odd else 1)
    total = angle + (term if freedom > 1 else 0) if odd else term
    for k in range(3 if odd else 2, freedom, 2):
        term *= square * (k - 1) / k
        total += term
    return 0.5 - (total / math.pi if odd else total / 2)


def _solve(beyond: Callable[[float], bool], least: float) -> float:
    """Where, from `least` upwards, `beyond` begins to hold."""
    low, high = least, 1e9
    for _ in range(120):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if beyond(middle) else (middle, high)
    return high


def _digamma(x: float) -> float:
    return (
        -1 / x + _digamma(x + 1) if x < 6 else math.log(x) - 1 / (2 * x) - 1 / (12 * x**2) + 1 / (120 * x**4)
    )


def _trigamma(x: float) -> float:
    if x < 6:
        return 1 / x**2 + _trigamma(x + 1)
    return 1 / x + 1 / (2 * x**2) + 1 / (6 * x**3) - 1 / (30 * x**5)
