"""Splits calls into blocks: a stretch of time of all lanes, and all time of one, each touch few of them."""

import itertools
import math
from collections.abc import Iterator

import numpy as np

from .block import sort_calls
from .columns import Columns

BLOCK = 8192
"""Calls in a block: decoded within milliseconds, and enough for deflate to learn from."""


def split(calls: Columns, lanes: int) -> Iterator[Columns]:
    """Blocks, each of some neighbouring lanes and a stretch of time, sorted."""
    if not len(calls):
        return
    blocks = math.ceil(len(calls) / BLOCK)
    groups = lanes if blocks >= 4 * lanes else _groups(blocks, lanes)
    group = calls.lane * groups // max(lanes, 1)
    order = np.lexsort((calls.begin, group))
    bounds = np.searchsorted(group[order], np.arange(groups + 1))
    for first, last in itertools.pairwise(bounds.tolist()):
        parts = math.ceil((last - first) / BLOCK)
        for part in range(parts):
            low = first + (last - first) * part // parts
            high = first + (last - first) * (part + 1) // parts
            yield sort_calls(calls.take(order[low:high]))


def _groups(blocks: int, lanes: int) -> int:
    """Of short lanes, which share blocks: about as many groups as stretches of time, unless a block then had
    few calls of each lane, whose begins could not be foreseen."""
    few = 64
    return min(lanes, max(math.isqrt(blocks), min(blocks, lanes * few // BLOCK), 1))
