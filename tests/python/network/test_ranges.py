"""How many ranges of sizes there are: on machines of which that is known, simulated with noise."""

import random
import statistics

import pytest

from messages import SIZES, THREE, Machine
from weir.analyse.statistics import estimate_median
from weir.network.ranges import JUMP, PRICE, PRICE_OF_SUSPICION, Fit, fit_ranges, refit
from weir.network.refine import ROUNDS, between, worth_dividing

SAMPLES = 12


class Simulated:
    """Measures sizes of a machine with noise, also more of them where a jump is suspected."""

    def __init__(self, machine: Machine, noise: float, seed: int) -> None:
        self._machine, self._noise, self._draw = machine, noise, random.Random(seed)
        self._known: dict[int, tuple[float, float]] = {}
        self._measure(SIZES)

    def _measure(self, sizes: list[int]) -> None:
        for size in sizes:
            factors = [1 + self._noise * self._draw.gauss(0, 1) for _ in range(SAMPLES)]
            found = estimate_median([self._machine.one_way(size) * factor for factor in factors])
            assert found is not None and found.relative_width is not None
            self._known[size] = (found.median, found.relative_width / 4)

    def fit(self, price: float = PRICE) -> Fit:
        sizes = sorted(self._known)
        times, errors = zip(*(self._known[size] for size in sizes), strict=True)
        return fit_ranges(sizes, times, errors, price)

    def refined(self) -> Fit:
        for _ in range(ROUNDS):
            places = worth_dividing(self.fit(PRICE_OF_SUSPICION))
            self._measure([size for place in places for size in between(place.low, place.high)])
        return self.fit()


@pytest.mark.parametrize("noise", [0.02, 0.05, 0.1])
def test_noise_invents_no_switch(noise: float) -> None:
    fits = [Simulated(Machine(), noise, seed).refined() for seed in range(40)]
    assert sum(any(one.is_jump for one in fit.boundaries) for fit in fits) <= 2


@pytest.mark.parametrize("noise", [0.02, 0.05, 0.1])
@pytest.mark.parametrize("at", [1030, 4050, 65500])
def test_a_jump_of_30_percent_is_found_where_it_is(noise: float, at: int) -> None:
    jumps = Machine(ranges=((0, 5e-7, 1e-10), (at, 6.5e-7, 1.3e-10)))
    fits = [Simulated(jumps, noise, seed).refined() for seed in range(10)]
    right = [
        fit
        for fit in fits
        if any(b.is_jump and b.low < at * 1.02 and at * 0.98 <= b.high for b in fit.boundaries)
    ]
    assert len(right) >= 9
    assert (
        statistics.median(b.high - b.low for fit in right for b in fit.boundaries if b.is_jump)
        <= 0.01 * at + 8
    )


def test_one_range_and_three_are_recovered_exactly_without_noise() -> None:
    one = fit_ranges(SIZES, [Machine().one_way(size) for size in SIZES])
    assert [(line.low, line.high) for line in one.lines] == [(0, 4 << 20)]
    three = fit_ranges(SIZES, [THREE.one_way(size) for size in SIZES])
    assert [line.low for line in three.lines] == [0, 4096, 65536]
    for line, (_, start, slope) in zip(three.lines, THREE.ranges, strict=True):
        assert line.start_s == pytest.approx(start, rel=1e-6)
        assert line.byte_s == pytest.approx(slope, rel=1e-6)
    assert [one.is_jump for one in three.boundaries] == [True, False]
    assert three.boundaries[0].ratio > JUMP


def test_the_order_does_not_matter_and_of_equal_sizes_the_median_counts() -> None:
    times = {size: THREE.one_way(size) for size in SIZES}
    twice = [*reversed(SIZES), 8, 8]
    values = [times[size] for size in twice]
    values[-1] *= 7
    assert fit_ranges(twice, values) == fit_ranges(SIZES, list(times.values()))


def test_a_disturbed_size_is_left_out_and_is_no_range() -> None:
    times = [Machine().one_way(size) * (4 if size == 2048 else 1) for size in SIZES]
    (line,) = fit_ranges(SIZES, times).lines
    assert line.left_out == (2048,)
    assert line.start_s == pytest.approx(1e-6, rel=1e-6)


def test_what_is_known_badly_weighs_little() -> None:
    times = [Machine().one_way(size) * (3 if size >= 1 << 21 else 1) for size in SIZES]
    errors = [2.0 if size >= 1 << 21 else 0.0 for size in SIZES]
    assert len(fit_ranges(SIZES, times, errors).lines) == 1


@pytest.mark.parametrize(("sizes", "start"), [([0], 1e-6), ([64], 1e-6 + 64e-10), ([0, 0, 0], 1e-6)])
def test_one_size_gives_a_flat_line(sizes: list[int], start: float) -> None:
    (line,) = fit_ranges(sizes, [Machine().one_way(size) for size in sizes]).lines
    assert (line.byte_s, line.start_s) == (0, pytest.approx(start))


def test_no_size_gives_no_fit() -> None:
    with pytest.raises(ValueError, match="no size"):
        fit_ranges([], [])


def test_times_that_fall_with_the_size_give_a_flat_line() -> None:
    (line,) = fit_ranges([0, 8, 64], [3e-6, 2e-6, 1e-6]).lines
    assert line.byte_s == 0


def test_other_times_of_the_same_ranges() -> None:
    times = [THREE.one_way(size) for size in SIZES]
    twice = refit(fit_ranges(SIZES, times), SIZES, [2 * time for time in times])
    assert [line.low for line in twice.lines] == [0, 4096, 65536]
    assert twice.at(100) == pytest.approx(2 * THREE.one_way(100))
