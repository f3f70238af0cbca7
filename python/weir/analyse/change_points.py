"""Where a series changes its level, whatever the distribution of its values.

All windows of a fixed family are searched for the split at which ranks differ most (Mann and Whitney's
statistic, standardised); of those that are sure the narrowest gives a change, and the search goes on beside
it. Ranks make the chance of a false alarm the same for any distribution of independent values, so that it
depends on the length of the series alone.

Sources: S. Kovács, P. Bühlmann, H. Li and A. Munk, Seeded binary segmentation, Biometrika 110 (2023), for the
windows; R. Baranowski, Y. Chen and P. Fryzlewicz, Narrowest-over-threshold detection of multiple change
points, Journal of the Royal Statistical Society B 81 (2019), for the narrowest; A. N. Pettitt, A
non-parametric approach to the change-point problem, Applied Statistics 28 (1979), for ranks.
"""

import math
import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

LEAST_PART = 2
"""Values on each side of a split."""
SHORTEST = 6
"""Of a window."""
DECAY = 2 ** (1 / 3)
"""From one layer of windows to the next shorter one."""
SHIFTS = 6
"""From one window of a layer to the next, so many fit into one."""


@dataclass(frozen=True)
class Change:
    """The first value of a new level is that of number `at`; `chance` that it is none, at most."""

    at: int
    chance: float


def change_points(values: Sequence[float], error: float = 0.05) -> list[Change]:
    """The changes of level, in their order; a series without any has one found with a chance of `error`."""
    limit = limit_of(len(values), error)
    sure = []
    for begin, end in windows(len(values)):
        found = best_split(values[begin:end])
        if found is not None and found[1] > limit:
            sure.append((begin, end, begin + found[0], found[1]))
    sure.sort(key=lambda one: (one[1] - one[0], -one[3]))
    changes: dict[int, float] = {}
    while sure:
        begin, end, at, size = sure[0]
        changes[at] = size
        sure = [one for one in sure if not one[0] < at < one[1]]
    return [Change(at, chance_of(size, len(values))) for at, size in sorted(_moved(values, changes).items())]


def _moved(values: Sequence[float], changes: dict[int, float]) -> dict[int, float]:
    """Each change where the medians on both sides, up to the neighbours, leave least: its window was narrow,
    and ranks do not see how far values lie apart."""
    places = [0, *sorted(changes), len(values)]
    found = {}
    for before, at, after in zip(places, places[1:], places[2:], strict=False):
        begin, end = max(before, at - NEAR), min(after, at + NEAR)
        splits = range(max(begin + LEAST_PART, at - MOST_MOVED), min(end - LEAST_PART, at + MOST_MOVED) + 1)
        found[min(splits, key=lambda split: _left(values, begin, split, end), default=at)] = changes[at]
    return found


def _left(values: Sequence[float], begin: int, at: int, end: int) -> float:
    """How far values lie from the median of their side."""
    parts = values[begin:at], values[at:end]
    middles = [(part, statistics.median(part)) for part in parts]
    return math.fsum(abs(one - middle) for part, middle in middles for one in part)


NEAR, MOST_MOVED = 40, 12
"""Values on each side that tell where a change is, and how far that may be from where ranks saw it."""


@lru_cache(maxsize=64)
def windows(count: int) -> tuple[tuple[int, int], ...]:
    """First and last, beyond it, of each window over so many values."""
    return tuple(dict.fromkeys(_windows(count)))


def _windows(count: int) -> Iterator[tuple[int, int]]:
    length = float(count)
    while length >= SHORTEST:
        size = math.ceil(length)
        number = SHIFTS * math.ceil(count / length) - SHIFTS + 1
        step = (count - size) / (number - 1) if number > 1 else 0.0
        for at in range(number):
            begin = math.floor(at * step)
            yield begin, min(begin + size, count)
        length /= DECAY


def best_split(values: Sequence[float]) -> tuple[int, float] | None:
    """How many values stand before the split where ranks differ most, and by how many standard deviations;
    null for fewer than SHORTEST."""
    count = len(values)
    if count < SHORTEST:
        return None
    ordered = sorted(values)
    # The mean rank of equal values, counted from the middle.
    ranks = [(bisect_left(ordered, one) + bisect_right(ordered, one) - count) / 2 for one in values]
    spread = math.fsum(rank * rank for rank in ranks) / (count - 1)
    if not spread:
        return None
    at, best, summed = 0, -1.0, 0.0
    for before, rank in enumerate(ranks[:-LEAST_PART], 1):
        summed += rank
        if before >= LEAST_PART:
            size = summed * summed / (before * (count - before))
            if size > best:
                at, best = before, size
    return at, math.sqrt(best * count / spread)


WORTH = 0.12
"""Independent splits that all windows are worth, for each value of the series: what simulations found."""


def chance_of(size: float, count: int) -> float:
    """That any window of a series without a change has a split of that many standard deviations, at most."""
    return min(1.0, WORTH * count * size * math.exp(-size * size / 2))


def limit_of(count: int, error: float) -> float:
    """The size that a chance of `error` takes."""
    low, high = 1.0, 12.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if chance_of(middle, count) > error else (low, middle)
    return high


@lru_cache(maxsize=1024)
def fewest_values(error: float) -> int:
    """Of a series in which a change in its middle can be found at all: with fewer, none was found since none
    could be."""
    count = SHORTEST
    while _largest(count) <= limit_of(count, error):
        count += 1
    return count


def _largest(count: int) -> float:
    """The size of a split in the middle with all values of one side above all of the other."""
    before = count // 2
    return math.sqrt(3 * before * (count - before) / (count + 1))
