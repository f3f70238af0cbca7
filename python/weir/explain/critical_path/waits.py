"""Where ranks waited for another one: in collectives, which show who came last, and for messages."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weir.distinct import distinct
from weir.trace.lane import batches_of, communicators_of
from weir.trace.model import Trace

from .members import members_of
from .messages import message_waits

Integers = NDArray[np.int64]

_ALL, _ROOT_GIVES, _ROOT_TAKES = 1, 2, 3
_LEAVES_AFTER = {
    **dict.fromkeys(("MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Barrier"), _ALL),
    **dict.fromkeys(("MPI_Allreduce", "MPI_Allgather", "MPI_Allgatherv"), _ALL),
    **dict.fromkeys(("MPI_Alltoall", "MPI_Alltoallv", "MPI_Alltoallw"), _ALL),
    **dict.fromkeys(("MPI_Reduce_scatter", "MPI_Reduce_scatter_block"), _ALL),
    **dict.fromkeys(("MPI_Comm_dup", "MPI_Comm_split", "MPI_Win_create", "MPI_Win_free"), _ALL),
    **dict.fromkeys(("MPI_Bcast", "MPI_Scatter", "MPI_Scatterv"), _ROOT_GIVES),
    **dict.fromkeys(("MPI_Reduce", "MPI_Gather", "MPI_Gatherv"), _ROOT_TAKES),
}
"""Whom a rank that waits in it waits for: the last of all, the root, or (the root alone) the last of all."""
_OF_ALL = ("MPI_Init", "MPI_Init_thread", "MPI_Finalize")
"""They have no communicator."""


@dataclass(frozen=True)
class Waits:
    """Each is one of `rank` for `whom`, who came at `until`; the call ended at `end`. By rank and end."""

    rank: Integers
    whom: Integers
    begin: Integers
    until: Integers
    end: Integers
    meetings: int
    """Collectives that all ranks of their communicator made, and pairs of ranks with messages; 0: nobody
    knows who waited."""


@dataclass(frozen=True)
class _Calls:
    """Collectives, by rank and begin."""

    rank: Integers
    lane: Integers
    group: Integers
    """Index into Trace.communicators; -1: all ranks."""
    call: Integers
    begin: Integers
    end: Integers
    root: Integers


def waits_of(trace: Trace) -> Waits:
    """All waits that collectives and messages tell of."""
    calls = _collectives(trace)
    parts: list[Integers] = [np.empty((5, 0), np.int64)]
    meetings = 0
    there = len(distinct(calls.rank))
    for group in distinct(calls.group).tolist():
        everyone = f"0-{trace.ranks - 1}" if group < 0 else trace.communicators[group]
        ranks = members_of(everyone, there)
        met = _met(calls, group, ranks)
        if met is None:
            continue
        meetings += met.shape[2]
        parts.extend(_waited(trace, met, ranks))
    messages = list(message_waits(trace))
    found = np.concatenate([*parts, *messages], axis=1)
    found = found[:, np.lexsort((found[4], found[0]))]
    return Waits(found[0], found[1], found[2], found[3], found[4], meetings + len(messages))


def _collectives(trace: Trace) -> _Calls:
    kind = np.array([_kind(call.interface, call.name) for call in trace.calls], np.int64)
    of_all = np.array([call.name in _OF_ALL for call in trace.calls], bool)
    parts = [np.empty((7, 0), np.int64)]
    lanes = [number for number, lane in enumerate(trace.lanes) if (kind[lane.call_index] > 0).any()]
    rank = np.array([lane.rank for lane in trace.lanes], np.int64)
    for number in lanes:
        for batch in batches_of([trace.lanes[number]]):
            some = batch.only((kind[batch.call] > 0) & ~batch.failed)
            if not len(some):
                continue
            group = np.where(of_all[some.call], -1, communicators_of([trace.lanes[number]], some))
            same = np.full(len(some), number)
            parts.append(
                np.stack([rank[same], same, group, some.call, some.begin_ns, some.end_ns, some.offset])
            )
    found = np.concatenate(parts, axis=1)
    found = found[:, found[2] != 0]  # its communicator is not known
    return _Calls(*found[:, np.lexsort((found[4], found[0]))])


def _kind(interface: str, name: str) -> int:
    return _LEAVES_AFTER.get(name, 0) if interface == "MPI" else 0


def _met(calls: _Calls, group: int, ranks: Integers) -> Integers | None:
    """Call, begin, end and root of what these ranks did together: shape (4, ranks, calls). None where one of
    them is missing, or has several threads that do so, whose order is not known."""
    which = np.flatnonzero(calls.group == group)
    own, first, counts = np.unique(calls.rank[which], return_index=True, return_counts=True)
    lanes = len(distinct(calls.lane[which]))
    if len(ranks) < 2 or lanes > len(own) or not np.array_equal(own, np.sort(ranks)):
        return None
    at = which[first[:, None] + np.arange(counts.min())]
    call = calls.call[at]
    alike = np.logical_and.accumulate((call == call[0]).all(axis=0))
    met = np.stack([call, calls.begin[at], calls.end[at], calls.root[at]])
    return met[:, :, alike]


def _waited(trace: Trace, met: Integers, ranks: Integers) -> Iterator[Integers]:
    """The waits of each kind of call: rank, whom, begin, until, end."""
    kind = np.array([_kind(call.interface, call.name) for call in trace.calls], np.int64)[met[0, 0]]
    in_order = np.sort(ranks)
    for one in (_ALL, _ROOT_GIVES, _ROOT_TAKES):
        _, begin, end, root = met[:, :, kind == one]
        if not begin.shape[1]:
            continue
        last = begin.argmax(axis=0)
        # A root is told by its number in the communicator, whose order is that of `ranks`.
        root = np.searchsorted(in_order, ranks[np.clip(root[0], 0, len(ranks) - 1)])
        whom = root if one == _ROOT_GIVES else last
        until = begin[whom, np.arange(begin.shape[1])]
        waits = (begin < until) & (until <= end)
        if one == _ROOT_TAKES:
            waits &= np.arange(len(ranks))[:, None] == root
        row, column = np.nonzero(waits)
        yield np.stack([in_order[row], in_order[whom[column]], begin[waits], until[column], end[waits]])
