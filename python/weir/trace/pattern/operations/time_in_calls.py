"""The time that a program spends in its I/O calls, and how much of it is not of I/O: in a collective call a
rank waits for the last one to enter, and while that one is in no I/O call, it is the program that is waited
for. Pure."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.trace.pattern.nests import Integers
from weir.trace.pattern.operations.operation import Kind, Operations, starts_of_groups


@dataclass(frozen=True)
class TimeInCalls:
    """In seconds, the means over the ranks."""

    all_s: float
    waiting_s: float
    """Of it, waiting in collective calls for ranks that are in no I/O call."""

    @property
    def of_io_s(self) -> float:
        """What a forecast is of."""
        return self.all_s - self.waiting_s


def time_in_calls(operations: Operations, ranks: int) -> TimeInCalls:
    """By operations that are calls of so many ranks, by rank and begin. Views are no I/O."""
    some = operations[operations["kind"] != Kind.VIEW]
    edges = np.searchsorted(some["rank"], np.arange(ranks + 1))
    busy = [_Busy(some[first:end]) for first, end in pairwise(edges.tolist())]
    together = some[some["collective"]]
    together = together[np.argsort(together["file"], kind="stable")]
    of_files = np.split(together, starts_of_groups(together["file"])[1:])
    waiting_ns = sum(_waiting_ns(own, busy) for own in of_files)
    all_ns = int((some["end_ns"] - some["begin_ns"]).sum())
    return TimeInCalls(all_ns * 1e-9 / ranks, waiting_ns * 1e-9 / ranks)


class _Busy:
    """When a rank is in I/O calls."""

    def __init__(self, own: NDArray[Any]) -> None:
        self._begins, self._ends = own["begin_ns"], own["end_ns"]
        self._before = np.concatenate([[0], np.cumsum(self._ends - self._begins)])

    def until(self, time_ns: Integers) -> Integers:
        """For how long it has been in calls by then."""
        begun = np.searchsorted(self._begins, time_ns, "right")
        last = np.maximum(begun - 1, 0)
        over = np.where(begun > 0, np.maximum(self._ends[last] - time_ns, 0), 0)
        found: Integers = self._before[begun] - over
        return found


def _waiting_ns(own: NDArray[Any], busy: list[_Busy]) -> int:
    """In the collective calls on one file (by rank and begin), which its ranks make in the same order. 0
    where they made different numbers of them, so that it is not known which belong together."""
    ranks, counts = np.unique(own["rank"], return_counts=True)
    if len(ranks) < 2 or counts.min() != counts.max():
        return 0
    begins, ends = (own[name].reshape(len(ranks), -1) for name in ("begin_ns", "end_ns"))
    latest = begins.argmax(axis=0)
    total = 0
    for at, rank in enumerate(ranks.tolist()):
        calls = np.flatnonzero(latest == at)
        since, until = begins[:, calls], np.minimum(begins[at, calls], ends[:, calls])
        in_calls = busy[rank].until(until) - busy[rank].until(since)
        total += int(np.maximum(np.maximum(until - since, 0) - in_calls, 0).sum())
    return total
