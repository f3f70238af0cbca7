"""Cuts what ranks did into phases, where a collective synchronised all of them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.trace.names import File
from weir.trace.pattern.nests import Flags, Integers
from weir.trace.pattern.operations.operation import OPERATION, Kind, Operations, RankTimes, open_change

MOST_PHASES = 64
"""More are one phase with barriers: they repeat themselves, and repetitions are shorter than phases."""


def with_phases(operations: Operations, collectives: NDArray[Any], ranks: list[int]) -> Operations:
    """The same with `phase` set and a CUT of every rank where a collective synchronised all ranks: it ends a
    phase. Where a file was open it is a BARRIER, since a phase closes what it opens. Of collectives without
    an operation of any rank between them, the last counts."""
    if len(ranks) < 2:
        return operations
    matched = collectives[matching_collectives(collectives, ranks)]
    if not matched.size:
        return operations
    first = np.searchsorted(operations["rank"], ranks)[:, None]
    after = _places(operations, matched, ranks)
    separating = _separating(after - first, len(operations))
    if not separating.any():
        return operations
    matched, after = matched[:, separating], after[:, separating]
    closed = _closed(operations, first, after)
    if np.count_nonzero(closed) >= MOST_PHASES:
        closed[:] = False
    return _with_barriers(operations, first, after, closed, matched)


def _places(operations: Operations, matched: NDArray[Any], ranks: list[int]) -> Integers:
    """Before which operation each collective of each rank stands. A collective open comes after its own
    operation, a collective close before it."""
    rank, begin, end = (operations[name] for name in ("rank", "begin_ns", "end_ns"))
    moments = RankTimes(ranks, begin, end, matched["begin_ns"].reshape(-1), matched["end_ns"].reshape(-1))
    closing = operations["kind"] == Kind.CLOSE
    ends = moments.of(matched["rank"], matched["end_ns"])
    closes = np.isin(ends, moments.of(rank[closing], end[closing]))
    when = np.where(closes, ends, moments.of(matched["rank"], matched["begin_ns"]))
    places = np.searchsorted(np.maximum.accumulate(moments.of(rank, begin)), when)
    return np.maximum.accumulate(places, axis=1)


def _separating(after: Integers, operations: int) -> Flags:
    """Collectives with operations before and after them; of several without any between, the last. `after`:
    how many operations of its rank each is after."""
    total = after.sum(axis=0)
    separating: Flags = (total > 0) & (total < operations)
    separating[:-1] &= np.diff(total) > 0
    return separating


def _closed(operations: Operations, first: Integers, after: Integers) -> Flags:
    """At which collectives does no rank have a file open?"""
    kind = operations["kind"]
    depth = np.append(0, np.cumsum(open_change(kind)))
    closed: Flags = (depth[after] == depth[first]).all(axis=0)
    return closed


def _with_barriers(
    operations: Operations, first: Integers, after: Integers, closed: Flags, matched: NDArray[Any]
) -> Operations:
    """With a BARRIER or CUT of each rank at each collective; a CUT ends its phase."""
    number = np.cumsum(closed)
    place = after.reshape(-1)
    before = np.searchsorted(place, np.arange(len(operations)), "right")  # of those of lower ranks, all
    own = before - np.repeat(
        np.arange(len(first)) * len(closed), np.diff(first[:, 0], append=len(operations))
    )
    operations["phase"] = np.append(0, number)[own]
    barriers = np.zeros(after.shape, OPERATION)
    barriers["kind"] = np.where(closed, Kind.CUT, Kind.BARRIER)
    barriers["phase"] = number - closed
    for name in ("rank", "begin_ns", "end_ns"):
        barriers[name] = matched[name]
    return np.insert(operations, place, barriers.reshape(-1))


CLOCKS_NS = 1_000_000
"""The most that clocks of different hosts are taken to differ."""


def matching_collectives(collectives: NDArray[Any], ranks: list[int]) -> Integers:
    """Indexes of collectives (dtype SPAN, by rank and begin) that all ranks made, shape (ranks, n):
    the k-th of each rank where all made the same calls; else, since collectives of some ranks lie between,
    those of one name that overlap in time on all ranks."""
    first = np.searchsorted(collectives["rank"], ranks)
    counts = np.searchsorted(collectives["rank"], ranks, "right") - first
    if (counts == counts[0]).all():
        all_of_each = first[:, None] + np.arange(counts[0])
        called = collectives["what"][all_of_each]
        if (called == called[0]).all():
            return all_of_each
    of_ranks = [collectives[begin : begin + count] for begin, count in zip(first, counts, strict=True)]
    return first[:, None] + _at_the_same_time(of_ranks, of_ranks[int(np.argmin(counts))])


def _at_the_same_time(of_ranks: list[NDArray[Any]], reference: NDArray[Any]) -> Integers:
    found = np.zeros((len(of_ranks), len(reference)), np.int64)
    good = np.ones(len(reference), bool)
    for rank, one in enumerate(of_ranks):
        if not len(one):
            return np.zeros((len(of_ranks), 0), np.int64)
        at = np.searchsorted(one["end_ns"], reference["begin_ns"] - CLOCKS_NS)
        at = np.minimum(at, len(one) - 1)
        for _ in range(3):  # a collective of other ranks may lie between
            at = np.where(one["what"][at] == reference["what"], at, np.minimum(at + 1, len(one) - 1))
        good &= (one["what"][at] == reference["what"]) & (
            one["begin_ns"][at] <= reference["end_ns"] + CLOCKS_NS
        )
        good[1:] &= at[1:] > at[:-1]
        found[rank] = at
    latest = np.max([one["begin_ns"][at] for one, at in zip(of_ranks, found, strict=True)], axis=0)
    earliest = np.min([one["end_ns"][at] for one, at in zip(of_ranks, found, strict=True)], axis=0)
    return found[:, good & (latest <= earliest + CLOCKS_NS)]


class PhaseNames:
    """Names phases as the program has marked them, or by what they move: `write 1`, `read 1`, `write 2`."""

    def __init__(self, marks: NDArray[Any], files: tuple[File, ...]) -> None:
        """Marks of dtype SPAN; their names are indexes into `files`."""
        self._marks, self._files = marks, files
        self._counts: dict[str, int] = {}

    def of(self, operations: Operations) -> str:
        """A unique name for the phase of these."""
        word = self._marked(operations) or _moved(operations["kind"])
        count = self._counts[word] = self._counts.get(word, 0) + 1
        return f"{word} {count}"

    def _marked(self, operations: Operations) -> str:
        """The shortest mark around all operations of its first rank."""
        if not len(self._marks):
            return ""
        begin, end = self._marks["begin_ns"], self._marks["end_ns"]
        first = operations["rank"] == operations["rank"][0]
        own = operations[first & (operations["kind"] < Kind.COMPUTE)]
        if not len(own):
            return ""
        around = (begin <= own["begin_ns"].min()) & (end >= own["end_ns"].max())
        if not around.any():
            return ""
        took = np.where(around, end - begin, np.iinfo(np.int64).max)
        return self._files[int(self._marks["what"][int(np.argmin(took))])].name


def _moved(kinds: Integers) -> str:
    reads, writes = bool((kinds == Kind.READ).any()), bool((kinds == Kind.WRITE).any())
    if reads and writes:
        return "read and write"
    return "read" if reads else "write" if writes else "open and close"
