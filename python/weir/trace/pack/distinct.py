"""Columns of numbers that come again: a table of the distinct ones, and of each number its place there.

Clocks have steps, so times of many calls are few different numbers, far apart.
"""

from __future__ import annotations

import numpy as np

from weir.trace.pack.integers import Integers, count_of, pack_integers, unpack_integers

USES = 8
"""A table pays off where its numbers are used so many times, on the average."""


def pack_distinct(values: Integers) -> bytes:
    """The differences of the sorted distinct numbers, and the places; where there are too many, an empty
    table and the numbers themselves."""
    table, places = np.unique(values, return_inverse=True)
    if USES * len(table) > len(values):
        table, places = table[:0], values
    return pack_integers(np.diff(table, prepend=0)) + pack_integers(places)


def unpack_distinct(data: memoryview, count: int) -> tuple[Integers, memoryview]:
    """The column of `count` numbers, and the bytes behind it. Raises ValueError if it is no such column."""
    distinct = count_of(data)
    if USES * distinct > count:
        raise ValueError(f"a table of {distinct} numbers for {count}")
    differences, data = unpack_integers(data, distinct)
    places, data = unpack_integers(data, count)
    if not distinct:
        return places, data
    if count and not 0 <= int(places.min()) <= int(places.max()) < distinct:
        raise ValueError("a place outside the table of numbers")
    values: Integers = np.cumsum(differences)[places]
    return values, data
