"""Cuts what ranks did into phases, where all of them waited for each other."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .all_ranks import Moments
from .meetings import meetings_of_all
from .operations import OPERATION, Kind, Operations

MOST_PHASES = 64
"""More are one phase with barriers: they repeat themselves, and repetitions are shorter than phases."""


def with_phases(operations: Operations, meetings: NDArray[Any], ranks: list[int]) -> Operations:
    """The same with `phase` set and a CUT of every rank where all ranks waited for each other: it ends a
    phase. Where a file was open it is a BARRIER, since a phase closes what it opens. Of meetings without an
    operation of any rank between them, the last counts."""
    if len(ranks) < 2:
        return operations
    met = meetings[meetings_of_all(meetings, ranks)]
    first = np.searchsorted(operations["rank"], ranks)[:, None]
    after = _places(operations, met, ranks)
    telling = _telling(after - first, len(operations))
    if not telling.any():
        return operations
    met, after = met[:, telling], after[:, telling]
    closed = _closed(operations, first, after)
    if np.count_nonzero(closed) >= MOST_PHASES:
        closed[:] = False
    return _with_meetings(operations, first, after, closed, met)


def _places(operations: Operations, met: NDArray[Any], ranks: list[int]) -> NDArray[np.int64]:
    """Before which operation each meeting of each rank stands. A collective open is after, a collective close
    before its own."""
    rank, begin, end = (operations[name] for name in ("rank", "begin_ns", "end_ns"))
    moments = Moments(ranks, begin, end, met["begin_ns"].reshape(-1), met["end_ns"].reshape(-1))
    closing = operations["kind"] == Kind.CLOSE
    ends = moments.of(met["rank"], met["end_ns"])
    closes = np.isin(ends, moments.of(rank[closing], end[closing]))
    when = np.where(closes, ends, moments.of(met["rank"], met["begin_ns"]))
    places = np.searchsorted(np.maximum.accumulate(moments.of(rank, begin)), when)
    return np.maximum.accumulate(places, axis=1)


def _telling(after: NDArray[np.int64], operations: int) -> NDArray[np.bool_]:
    """Meetings with operations before and after them; of several without any between, the last. `after`: how
    many operations of its rank each is after."""
    total = after.sum(axis=0)
    telling: NDArray[np.bool_] = (total > 0) & (total < operations)
    telling[:-1] &= np.diff(total) > 0
    return telling


def _closed(operations: Operations, first: NDArray[np.int64], after: NDArray[np.int64]) -> NDArray[np.bool_]:
    """At which meetings has no rank a file open?"""
    kind = operations["kind"]
    step = np.where(kind == Kind.OPEN, 1, np.where(kind == Kind.CLOSE, -1, 0))
    depth = np.append(0, np.cumsum(step))
    closed: NDArray[np.bool_] = (depth[after] == depth[first]).all(axis=0)
    return closed


def _with_meetings(
    operations: Operations,
    first: NDArray[np.int64],
    after: NDArray[np.int64],
    closed: NDArray[np.bool_],
    met: NDArray[Any],
) -> Operations:
    """With a BARRIER or CUT of each rank at each meeting; a CUT ends its phase."""
    number = np.cumsum(closed)
    place = after.reshape(-1)
    before = np.searchsorted(place, np.arange(len(operations)), "right")  # of those of lower ranks, all
    own = before - np.repeat(
        np.arange(len(first)) * len(closed), np.diff(first[:, 0], append=len(operations))
    )
    rows = operations.copy()
    rows["phase"] = np.append(0, number)[own]
    meetings = np.zeros(after.shape, OPERATION)
    meetings["kind"] = np.where(closed, Kind.CUT, Kind.BARRIER)
    meetings["phase"] = number - closed
    for name in ("rank", "begin_ns", "end_ns"):
        meetings[name] = met[name]
    return np.insert(rows, place, meetings.reshape(-1))
