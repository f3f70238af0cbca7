"""The operations of all ranks as one table, and work on the rows of all ranks at once."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.trace.pattern.nests import Integers


class Kind(IntEnum):
    """What an operation does. Those before CLOSE move bytes."""

    READ = 0
    WRITE = 1
    CLOSE = 2
    OPEN = 3
    SYNC = 4
    PREALLOCATE = 5
    COMPUTE = 6
    BARRIER = 7
    CUT = 8
    """A barrier that ends a phase."""
    VIEW = 9
    """Sets the view of a file; with_pieces() removes it."""
    ORDER = 10
    """Some ranks wait for each other, since one reads what another wrote."""
    TRUNCATE = 11
    """Gives a file a size, also a smaller one; without_truncations() makes it PREALLOCATE, or removes it."""


class Mode(IntEnum):
    """How a file is opened."""

    CREATE = 0
    READ = 1
    UPDATE = 2


OPERATION = np.dtype(
    [
        ("rank", "<i8"),
        ("phase", "<i4"),
        ("stage", "<i4"),
        ("kind", "<i1"),
        ("mode", "<i1"),
        ("file", "<i4"),
        ("offset", "<i8"),
        ("length", "<i8"),
        ("begin_ns", "<i8"),
        ("end_ns", "<i8"),
        ("shape", "<i4"),
        ("span", "<i8"),
        ("collective", "?"),
    ]
)
"""Short columns, since there may be ten million rows: convert them before you compute with them.
`stage` orders what ranks do between two barriers (Order). `file` is an index into Trace.files, and later into
the pattern's files; `length` is the bytes moved, of OPEN its flags, of PREALLOCATE the file's new size, of
COMPUTE its class, of VIEW the number of its layout; `offset` is 0 where there is none. `shape` is the number
of a read's or write's pieces (PieceShapes), `span` the bytes from the first to the last of them."""

Operations = NDArray[Any]
"""Of dtype OPERATION, by rank, and of each rank in order."""


@dataclass
class LeftOut:
    """How many calls are not in the pattern, by the reason as text."""

    counts: dict[str, int] = field(default_factory=dict)

    def add(self, reason: str, count: int | np.signedinteger[Any]) -> None:
        """Count some more, if there are any."""
        if count:
            self.counts[reason] = self.counts.get(reason, 0) + int(count)


def starts_of_groups(*columns: NDArray[Any]) -> Integers:
    """Where rows of equal values begin; the rows of a group must be adjacent."""
    differs = np.zeros(len(columns[0]), bool)
    differs[:1] = True
    for column in columns:
        differs[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(differs)


def group_numbers(first: Integers, count: int) -> Integers:
    """Of each of `count` rows, the number of its group; `first`: where the groups begin."""
    numbers: Integers = np.repeat(np.arange(len(first)), np.diff(np.append(first, count)))
    return numbers


def barriers_before(operations: Operations, first: Integers) -> Integers:
    """Of each operation, the barriers before it in its group; `first`: where the groups begin."""
    is_barrier = operations["kind"] == Kind.BARRIER
    before = np.cumsum(is_barrier) - is_barrier
    in_group: Integers = before - before[first][group_numbers(first, len(operations))]
    return in_group


def open_change(kind: Integers) -> Integers:
    """What each operation changes in the number of opens of its file: 1, -1 or 0."""
    return np.where(kind == Kind.OPEN, 1, np.where(kind == Kind.CLOSE, -1, 0))


class RankTimes:
    """Pairs of rank and time as one number each that sorts by rank, then time: work on all ranks at once,
    where a loop over many ranks would take long."""

    def __init__(self, ranks: Integers | list[int], *times: Integers) -> None:
        """All ranks and times that will be asked for."""
        self._ranks = distinct(np.asarray(ranks, np.int64))
        self._times = distinct(np.concatenate(times))

    def of(self, rank: Integers, time: Integers) -> Integers:
        """The numbers of these pairs."""
        number: Integers = np.searchsorted(self._ranks, rank) * len(self._times)
        number += np.searchsorted(self._times, time)
        return number


def running_max(values: Integers, group: Integers) -> Integers:
    """Of each value, the greatest of its group up to it; the values of a group are adjacent."""
    if not len(values):
        return values
    base = np.cumsum(np.append(0, group[1:] != group[:-1]))
    least = int(values.min())
    width = int(values.max()) - least + 1
    if (int(base[-1]) + 1) * width < _WHOLE:
        base *= width
        greatest: Integers = np.maximum.accumulate(values - least + base)
        greatest -= base
        greatest += least
        return greatest
    different, place = np.unique(values, return_inverse=True)
    base *= len(different)
    found: Integers = different[np.maximum.accumulate(base + place.reshape(-1)) - base]
    return found


_WHOLE = 2**62
"""Numbers below this can be added without leaving 64 bits."""


def distinct(values: Integers) -> Integers:
    """The different values, in ascending order. (np.unique puts them into a hash table, which takes several
    times as long where most are different.)"""
    ascending = np.sort(values)
    keep = np.ones(len(ascending), bool)
    np.not_equal(ascending[1:], ascending[:-1], out=keep[1:])
    return ascending[keep]


def stable_order(*columns: Integers) -> Integers:
    """As np.lexsort of columns of small numbers from 0 on, the last the most significant; in linear time if
    they are small enough."""
    whole, size = np.zeros(len(columns[0]), np.int64), 1
    for column in columns:
        whole += np.asarray(column, np.int64) * size
        size *= int(column.max(initial=0)) + 1
    if size >= _WHOLE or any(int(column.min(initial=0)) < 0 for column in columns):
        return np.lexsort(columns)
    return np.argsort(whole.astype(np.min_scalar_type(size)), kind="stable")
