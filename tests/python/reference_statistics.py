"""Medians and their intervals by what the documents say, for tests of Weir's own."""

import math
import statistics

Estimate = tuple[float, float | None, float | None, int]
"""The median, both ends of its interval, and of how many."""


def rank_of(count: int, error: float = 0.05) -> int:
    """Of the ends of an interval that holds whenever one stops (decision 34)."""
    used, rank, chances = 0.0, 0, {0: 1.0}
    for n in range(1, count + 1):
        chances = {k: (chances.get(k, 0.0) + chances.get(k - 1, 0.0)) / 2 for k in range(n + 1)}
        while rank < n // 2:
            miss = chances.get(rank, 0.0) + chances.get(n - rank, 0.0)
            if used + miss > error * (1 - 3 / 8 * math.sqrt(6 / max(n, 6))) + 1e-15:
                break
            used, rank = used + miss, rank + 1
        chances = {k: chance for k, chance in chances.items() if rank <= k <= n - rank}
    return rank


def estimate(values: list[float], error: float = 0.05) -> Estimate:
    ordered, rank = sorted(values), rank_of(len(values), error)
    ends = (ordered[rank - 1], ordered[-rank]) if rank else (None, None)
    return (statistics.median(ordered), *ends, len(values))


def inverse(of: Estimate) -> Estimate:
    return (1 / of[0], of[2] and 1 / of[2], of[1] and 1 / of[1], of[3])
