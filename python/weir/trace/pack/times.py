"""Begins and ends of calls as short times: between calls, and that calls took.

A call with no call inside is kept as the time since the end of the call before it, and how long it took. One
with calls inside ends soon after the last and began soon before the first of them: these two times are kept.
"""

from __future__ import annotations

import numpy as np

from weir.trace.pack.integers import Integers


def split_times(level: Integers, begin: Integers, end: Integers) -> tuple[Integers, Integers]:
    """The two short times of each call, from begins and ends since the first begin."""
    inside = _first_inside(level)
    leaf = inside < 0
    before = np.concatenate([np.zeros(1, np.int64), end[:-1]])
    gap = np.where(leaf, begin, end) - before
    took = np.where(leaf, end - begin, begin[inside] - begin)
    return gap, took


def join_times(level: Integers, gap: Integers, took: Integers) -> tuple[Integers, Integers]:
    """Begins and ends again."""
    inside = _first_inside(level)
    leaf = inside < 0
    end = np.cumsum(np.where(leaf, gap + took, gap))
    begin = end - took
    for depth in np.unique(level)[::-1]:
        around = np.flatnonzero((level == depth) & ~leaf)
        begin[around] = begin[inside[around]] - took[around]
    return begin, end


def _first_inside(level: Integers) -> Integers:
    """For each call, the place of the first call inside it; -1 for none. Calls inside stand before it."""
    first = np.full(len(level), -1, np.int64)
    places = np.arange(len(level))
    for depth in np.unique(level):
        outer = np.flatnonzero(level <= depth)
        after_previous = np.concatenate([np.zeros(1, np.int64), outer[:-1] + 1])
        has = (level[outer] == depth) & (after_previous < places[outer])
        first[outer[has]] = after_previous[has]
    return first
