"""Cuts what ranks did into phases, where all of them waited for each other."""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .calls import MEETING
from .meetings import meetings_of_all
from .operations import OPERATION, Kind, Operations

MOST_PHASES = 64
"""More are one phase with barriers: they repeat themselves, and repetitions are shorter than phases."""


def with_phases(operations: Operations, meetings: dict[int, NDArray[Any]], ranks: list[int]) -> Operations:
    """The same with `phase` set and a CUT of every rank where all ranks waited for each other: it ends a
    phase. Where a file was open it is a BARRIER, since a phase closes what it opens. Of meetings without an
    operation of any rank between them, the last counts."""
    if len(ranks) < 2:
        return operations
    none = np.zeros(0, MEETING)
    own = [meetings.get(rank, none) for rank in ranks]
    bounds = np.searchsorted(operations["rank"], [*ranks, ranks[-1] + 1])
    met = meetings_of_all(own)
    if not met.shape[1]:
        return operations
    of_rank = [operations[b:e] for b, e in pairwise(bounds)]
    times = [one[at] for one, at in zip(own, met, strict=True)]
    after = np.array([_places(rows, one) for rows, one in zip(of_rank, times, strict=True)])
    telling = _telling(after, np.diff(bounds))
    after = after[:, telling]
    closed = np.ones(after.shape[1], bool)
    for rows, at in zip(of_rank, after, strict=True):
        closed &= _closed(rows)[at]
    if np.count_nonzero(closed) >= MOST_PHASES:
        closed[:] = False
    found = []
    for rank, rows, at, one in zip(ranks, of_rank, after, times, strict=True):
        found.append(_of_rank(rows, at, closed, one[telling]))
        found[-1]["rank"] = rank
    return np.concatenate(found)


def _places(rows: Operations, meetings: NDArray[Any]) -> NDArray[np.int64]:
    """How many of a rank's operations stand before each of its meetings. A collective open is after, a
    collective close before its own."""
    closes = np.isin(meetings["end_ns"], rows["end_ns"][rows["kind"] == Kind.CLOSE])
    begin = np.maximum.accumulate(rows["begin_ns"])
    return np.searchsorted(begin, np.where(closes, meetings["end_ns"], meetings["begin_ns"]))


def _telling(after: NDArray[np.int64], most: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Meetings with operations before and after them; of several without any between, the last."""
    total = after.sum(axis=0)
    telling: NDArray[np.bool_] = (total > 0) & (total < most.sum()) & np.append(np.diff(total) > 0, True)
    return telling


def _closed(rows: Operations) -> NDArray[np.bool_]:
    """Has the rank no file open after so many of its operations?"""
    step = np.where(rows["kind"] == Kind.OPEN, 1, np.where(rows["kind"] == Kind.CLOSE, -1, 0))
    closed: NDArray[np.bool_] = np.concatenate([[True], np.cumsum(step) == 0])
    return closed


def _of_rank(
    rows: Operations, after: NDArray[np.int64], closed: NDArray[np.bool_], met: NDArray[Any]
) -> Operations:
    """One rank's, with a BARRIER or CUT at each meeting; a CUT ends its phase."""
    number = np.cumsum(closed)
    rows = rows.copy()
    rows["phase"] = np.append(0, number)[np.searchsorted(after, np.arange(len(rows)), "right")]
    meetings = np.zeros(len(after), OPERATION)
    meetings["kind"] = np.where(closed, Kind.CUT, Kind.BARRIER)
    meetings["phase"] = number - closed
    meetings["begin_ns"], meetings["end_ns"] = met["begin_ns"], met["end_ns"]
    return np.insert(rows, after, meetings)
