"""Student's distribution and the derivatives of the logarithm of the gamma function."""

import math
from statistics import NormalDist

import pytest

from weir.analyse.student import digamma, outside, quantile, trigamma, trigamma_inverse


@pytest.mark.parametrize(
    ("confidence", "degrees", "expected"),
    [
        (0.95, 1, 12.706),
        (0.95, 2, 4.303),
        (0.95, 10, 2.228),
        (0.99, 5, 4.032),
        (0.999, 30, 3.646),
        (0.9, 120, 1.658),
    ],
)
def test_quantiles_of_the_tables(confidence: float, degrees: float, expected: float) -> None:
    assert quantile(confidence, degrees) == pytest.approx(expected, abs=6e-4)


def test_one_and_two_degrees_have_closed_forms() -> None:
    for reach in (0.1, 1.0, 3.0, 50.0):
        assert outside(reach, 1) == pytest.approx(1 - 2 * math.atan(reach) / math.pi, rel=1e-9)
        assert outside(reach, 2) == pytest.approx(1 - reach / math.sqrt(reach**2 + 2), rel=1e-9)


def test_many_degrees_are_normal() -> None:
    normal = NormalDist().inv_cdf(0.975)
    assert quantile(0.95, math.inf) == normal
    assert quantile(0.95, 1e5) == pytest.approx(normal, rel=1e-4)


@pytest.mark.parametrize("x", [0.05, 0.5, 1.0, 2.5, 11.9, 40.0])
def test_derivatives_of_the_logarithm_of_gamma(x: float) -> None:
    step = 1e-5 * x
    assert digamma(x) == pytest.approx((math.lgamma(x + step) - math.lgamma(x - step)) / (2 * step), rel=1e-6)
    assert trigamma(x) == pytest.approx((digamma(x + step) - digamma(x - step)) / (2 * step), rel=1e-6)
    assert trigamma_inverse(trigamma(x)) == pytest.approx(x, rel=1e-6)
