"""Student's distribution, and the derivatives of the logarithm of the gamma function, to what verdicts
need: ten digits."""

import math
from functools import lru_cache
from statistics import NormalDist

MANY = 1e6
"""Degrees of freedom from which on the distribution is normal."""


@lru_cache(maxsize=4096)
def quantile(confidence: float, degrees: float) -> float:
    """How far an interval of that confidence reaches to either side, in standard errors. `degrees` may be
    infinite."""
    normal = NormalDist().inv_cdf((1 + confidence) / 2)
    if degrees >= MANY:
        return normal
    low, high = 0.0, 2 * normal
    while outside(high, degrees) > 1 - confidence:
        low, high = high, 2 * high
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if outside(middle, degrees) > 1 - confidence else (low, middle)
    return high


def outside(reach: float, degrees: float) -> float:
    """The chance of being farther from 0 than `reach`: the incomplete beta function of degrees / 2 and 1 / 2,
    by its continued fraction (Abramowitz and Stegun, 26.5.8 and 26.7.1)."""
    at = degrees / (degrees + reach * reach)
    half = degrees / 2
    if at > (half + 1) / (half + 2.5):
        return 1 - _beta(1 - at, 0.5, half)
    return _beta(at, half, 0.5)


def _beta(at: float, a: float, b: float) -> float:
    if at <= 0:
        return 0.0
    log = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(at) + b * math.log1p(-at)
    fraction, c, d = 1.0, 1.0, 0.0
    for step in range(400):
        half = step // 2
        if step == 0:
            term = 1.0
        elif step % 2 == 0:
            term = half * (b - half) * at / ((a + 2 * half - 1) * (a + 2 * half))
        else:
            term = -(a + half) * (a + b + half) * at / ((a + 2 * half) * (a + 2 * half + 1))
        d = 1 / (1 + term * d or 1e-300)
        c = 1 + term / c or 1e-300
        fraction *= c * d
        if step and abs(c * d - 1) < 1e-15:
            break
    return math.exp(log) * (fraction - 1) / a


def digamma(x: float) -> float:
    """For x > 0, by its asymptotic series (Abramowitz and Stegun, 6.3.18)."""
    found = 0.0
    while x < 12:
        found, x = found - 1 / x, x + 1
    square = 1 / (x * x)
    return found + math.log(x) - 0.5 / x - square * (1 / 12 - square * (1 / 120 - square / 252))


def trigamma(x: float) -> float:
    """For x > 0, by its asymptotic series (Abramowitz and Stegun, 6.4.12)."""
    found = 0.0
    while x < 12:
        found, x = found + 1 / (x * x), x + 1
    square = 1 / (x * x)
    return found + (1 + (0.5 + (1 / 6 - square * (1 / 30 - square / 42)) / x) / x) / x


def trigamma_inverse(value: float) -> float:
    """The x of which trigamma is that positive value, by halving: it falls from infinity to 0."""
    low, high = 1e-8, 1.0
    while trigamma(high) > value:
        low, high = high, 2 * high
    for _ in range(80):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if trigamma(middle) > value else (low, middle)
    return high
