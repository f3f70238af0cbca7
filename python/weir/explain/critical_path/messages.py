"""Where ranks waited for a message: for its sender, until it sends."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from weir.distinct import distinct
from weir.trace.lane import batches_of, communicators_of
from weir.trace.model import Trace

from .members import members_of

Integers = NDArray[np.int64]

_RECEIVES = ("MPI_Recv",)
_SENDS = ("MPI_Send", "MPI_Ssend", "MPI_Rsend", "MPI_Bsend", "MPI_Isend", "MPI_Issend", "MPI_Ibsend")
_IN_ANOTHER_ORDER = ("MPI_Irecv", "MPI_Imrecv", "MPI_Mrecv", "MPI_Recv_init", "MPI_Sendrecv")
"""A rank that receives so too has messages of which a trace does not tell the order."""
_SENT, _RECEIVED = 0, 1


def message_waits(trace: Trace) -> Iterator[Integers]:
    """Rank, whom, begin, until, end of all waits in blocking receives.

    A trace has no tags. Messages from a rank to another count only where there are as many sends as
    receives, each with the bytes of its send: then they came in this order, or it does not matter.
    """
    found = _messages(trace)
    if not found.shape[1]:
        return
    edges = np.flatnonzero((np.diff(found[:3], axis=1) != 0).any(axis=0)) + 1
    for pair in np.split(found, edges, axis=1):
        sent, received = (pair[:, pair[3] == one] for one in (_SENT, _RECEIVED))
        if sent.shape[1] != received.shape[1] or not np.array_equal(sent[6], received[6]):
            continue
        begin, until, end = received[4], sent[4], received[5]
        waits = (begin < until) & (until <= end)
        yield np.stack([received[2], received[1], begin, until, end])[:, waits]


def _messages(trace: Trace) -> Integers:
    """Communicator, sender, receiver, which of both, begin, end and bytes, in this order."""
    names = [call.name if call.interface == "MPI" else "" for call in trace.calls]
    receives, sends, disorders = (
        np.array([name in some for name in names], bool) for some in (_RECEIVES, _SENDS, _IN_ANOTHER_ORDER)
    )
    groups = [members_of(text, trace.ranks) for text in trace.communicators]
    parts = [np.empty((7, 0), np.int64)]
    for lane in trace.lanes:
        if not (receives | sends)[lane.call_index].any():
            continue
        here, disorder = [], False
        for batch in batches_of([lane]):
            disorder |= bool(disorders[batch.call].any())
            some = batch.only((receives | sends)[batch.call] & ~batch.failed & (batch.offset >= 0))
            group = communicators_of([lane], some)
            is_send = sends[some.call]
            size = np.where(is_send, some.length.view(np.int64), some.result)
            other = _in_world(groups, group, some.offset)
            mine = np.full(len(some), lane.rank)
            pair = np.where(is_send, mine, other), np.where(is_send, other, mine)
            which = np.where(is_send, _SENT, _RECEIVED)
            rows = np.stack([group, *pair, which, some.begin_ns, some.end_ns, size])
            here.append(rows[:, other >= 0])
        for rows in here:
            parts.append(rows[:, rows[3] == _SENT] if disorder else rows)
    found = np.concatenate(parts, axis=1)
    return found[:, np.lexsort((found[4], found[3], found[2], found[1], found[0]))]


def _in_world(groups: list[Integers], group: Integers, rank: Integers) -> Integers:
    """Ranks of communicators as those of all; -1: not known."""
    found = np.full(len(rank), -1, np.int64)
    for one in distinct(group).tolist():
        at = np.flatnonzero((group == one) & (rank < len(groups[one])))
        found[at] = groups[one][rank[at]] if len(groups[one]) else -1
    return found
