"""Samples that lie around several values, compared as such: how many are in the faster half, and not where
a median lies that no sample is near."""

import math
from itertools import pairwise

from weir.analyse.modes import Modes
from weir.analyse.shares import chance_of_shares
from weir.compare.matching import Pair


def widest_gap(modes: tuple[Modes, Modes]) -> tuple[float, float]:
    """Where it begins and ends, of the side that has most modes."""
    parts = sorted(max(modes, key=lambda one: len(one.modes)).modes, key=lambda mode: mode.median)
    low, high = max(pairwise(parts), key=lambda two: two[1].low / two[0].high)
    return low.high, high.low


def faster_shares(pair: Pair, modes: tuple[Modes, Modes]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Of each side, how many samples lie above the widest gap, and of how many."""
    cut = math.sqrt(math.prod(widest_gap(modes)))
    one, other = pair.ones[0], pair.others[0]
    above = [sum(value > cut for value in samples) for samples in (one, other)]
    return (above[0], len(one)), (above[1], len(other))


def shares_differ(
    pair: Pair, modes: tuple[Modes, Modes], confidence: float, least: float = 1.0
) -> bool | None:
    """Whether `one` surely has a greater share above the gap (true) or a smaller one (false); null where that
    is open, or where a run that is `least` times another could have moved samples across half the gap."""
    begin, end = widest_gap(modes)
    if math.sqrt(end / begin) <= least:
        return None
    (count, of), (other, of_other) = faster_shares(pair, modes)
    if chance_of_shares(count, of, other, of_other) >= 1 - confidence:
        return None
    return count * of_other > other * of
