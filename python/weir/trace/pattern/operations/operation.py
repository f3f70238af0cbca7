"""The operations of all ranks as one table, and work on the rows of all ranks at once."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray


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
    """A barrier between two phases."""
    VIEW = 9
    """Sets the view of a file; there are none once requests have their pieces."""


class Mode(IntEnum):
    """How a file is opened."""

    CREATE = 0
    READ = 1
    UPDATE = 2


OPERATION = np.dtype(
    [
        ("rank", "<i8"),
        ("phase", "<i8"),
        ("kind", "<i8"),
        ("mode", "<i8"),
        ("file", "<i8"),
        ("offset", "<i8"),
        ("length", "<i8"),
        ("begin_ns", "<i8"),
        ("end_ns", "<i8"),
        ("shape", "<i8"),
        ("span", "<i8"),
        ("collective", "?"),
    ]
)
"""`file` is an index into Trace.files, and later into the pattern's files; `length` is what was moved, of
OPEN its flags, of PREALLOCATE the file's new size, of COMPUTE its class, of VIEW the number of its layout;
`offset` is 0 where there is none. `shape` tells how the pieces of a read or write lie (PieceShapes), `span`
how far it reaches from its offset on."""

Operations = NDArray[Any]
"""Of dtype OPERATION, by rank, and of each rank in order."""


@dataclass
class LeftOut:
    """How many calls are not in the pattern, by the reason, for people."""

    counts: dict[str, int] = field(default_factory=dict)

    def add(self, reason: str, count: int | np.signedinteger[Any]) -> None:
        """Count some more, if there are any."""
        if count:
            self.counts[reason] = self.counts.get(reason, 0) + int(count)


def starts_of_groups(*columns: NDArray[Any]) -> NDArray[np.int64]:
    """Where rows of equal values begin; rows that belong together must stand together."""
    count = len(columns[0])
    differs = np.zeros(count, bool)
    differs[:1] = True
    for column in columns:
        differs[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(differs)


Integers = NDArray[np.int64]


class RankTimes:
    """Ranks with times as one number each, in the order of ranks and then of times."""

    def __init__(self, ranks: Integers | list[int], *times: Integers) -> None:
        """All that may come."""
        self._ranks = np.unique(np.asarray(ranks, np.int64))
        self._times = np.unique(np.concatenate(times))

    def of(self, rank: Integers, time: Integers) -> Integers:
        """The numbers of these."""
        number: Integers = np.searchsorted(self._ranks, rank) * len(self._times)
        number += np.searchsorted(self._times, time)
        return number


def running_max(values: Integers, group: Integers) -> Integers:
    """Of each value, the greatest of its group up to it; a group's values stand together."""
    if not len(values):
        return values
    different, place = np.unique(values, return_inverse=True)
    base = np.cumsum(np.append(0, group[1:] != group[:-1])) * len(different)
    greatest: Integers = different[np.maximum.accumulate(base + place.reshape(-1)) - base]
    return greatest
