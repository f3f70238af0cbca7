"""The difference of two sets of samples, and how far its interval reaches."""

import itertools
import math
import random
import statistics

import pytest

from weir.analyse.shift import MOST, rank_of, shift_of


@pytest.mark.parametrize(("count", "other"), [(1, 1), (2, 3), (3, 3), (4, 3), (5, 4), (5, 5)])
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.99])
def test_the_rank_is_that_of_counting_all_orders(count: int, other: int, confidence: float) -> None:
    """Of all orders of both sets, how many have so few pairs in inverse order."""
    places = range(count + other)
    inverse = []
    for chosen in itertools.combinations(places, count):
        rest = [place for place in places if place not in chosen]
        inverse.append(sum(one > two for one in chosen for two in rest))
    rank, reached = rank_of(count, other, confidence)
    below = sum(number <= rank for number in inverse)
    assert reached == pytest.approx(1 - 2 * below / len(inverse))
    more = sum(number <= rank + 1 for number in inverse)
    assert 1 - 2 * more / len(inverse) < confidence, "the next one would do"
    assert reached >= confidence or rank == 0


def test_published_critical_values() -> None:
    """Table of D. Auble (1953) as in every textbook: U of two sides at 5 %, and at 1 %."""
    assert [rank_of(n, n, 0.95)[0] for n in (4, 5, 6, 8, 10, 20)] == [0, 2, 5, 13, 23, 127]
    assert [rank_of(n, n, 0.99)[0] for n in (5, 6, 8, 10, 20)] == [0, 2, 7, 16, 105]


def test_the_shift_is_the_median_of_all_differences() -> None:
    ones, others = [5.0, 9.0, 7.0, 12.0], [1.0, 4.0, 2.0]
    found = shift_of(ones, others, 0.5)
    assert found.middle == statistics.median(one - other for one in ones for other in others)
    assert found.below > 0 and found.above > 0


@pytest.mark.parametrize("counts", [(1, 9), (2, 9), (9, 2), (1, 1)])
def test_too_few_samples_bound_nothing(counts: tuple[int, int]) -> None:
    found = shift_of([1.0] * counts[0], [2.0] * counts[1], 0.95)
    assert found.middle == -1 and math.isinf(found.below) and math.isinf(found.above)


@pytest.mark.parametrize("counts", [(3, 3), (6, 6), (5, 12), (10, 10), (MOST + 1, 7)])
@pytest.mark.parametrize("confidence", [0.95, 0.999])
def test_intervals_hold_what_they_promise(counts: tuple[int, int], confidence: float) -> None:
    draw = random.Random(f"{counts} {confidence}")
    tries, missed = 600, 0
    for _ in range(tries):
        ones, others = ([draw.expovariate(1) for _ in range(count)] for count in counts)
        found = shift_of(ones, others, confidence)
        missed += not -found.above <= found.middle <= found.below
    allowed = (1 - confidence) * tries
    assert missed <= allowed + 3 * math.sqrt(allowed) + 1


def test_a_wider_confidence_has_a_wider_interval() -> None:
    draw = random.Random(5)
    ones, others = ([draw.gauss(0, 1) for _ in range(6)] for _ in range(2))
    found = [shift_of(ones, others, one) for one in (0.5, 0.9, 0.99, 0.9999)]
    widths = [one.below + one.above for one in found]
    assert widths == sorted(widths) and widths[-1] > widths[-2] > widths[0]
