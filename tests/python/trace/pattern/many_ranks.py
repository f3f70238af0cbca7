"""Traces of very many ranks that all do the same at places of their own, as arrays."""

import numpy as np

from weir.trace.lane import Clock, Lane
from weir.trace.model import Trace
from weir.trace.names import Call, File
from weir.trace.stream import RECORD

CALLS = (
    Call("DAMAGED", "unknown", "other"),
    Call("POSIX", "open", "open"),
    Call("POSIX", "pwrite", "write"),
    Call("POSIX", "pread", "read"),
    Call("POSIX", "close", "close"),
    Call("MPI", "MPI_Barrier", "communicate"),
)
OPEN, WRITE, READ, CLOSE, BARRIER = range(1, 6)
SHARED, OWN = 1, 2
"""Of each rank's own numbers."""
CREATES = 0o1102
PIECE = 65_536


def program(turns: int) -> list[tuple[int, int, int, int, int]]:
    """What a rank does: call, file, length, offset, and how much further on each next rank's offset is. In
    the shared file lie a header of 24 bytes a rank and then the pieces of all ranks, turn by turn; in its own
    file a rank writes them one after the other, and then reads them back."""
    pieces = [(WRITE, SHARED, PIECE, 0, PIECE)] * turns + [(WRITE, OWN, PIECE, 0, 0)] * turns
    return [
        (OPEN, SHARED, CREATES, -1, 0),
        (WRITE, SHARED, 24, 0, 24),
        *pieces[:turns],
        (CLOSE, SHARED, 0, -1, 0),
        (BARRIER, 1, 0, -1, 0),
        (OPEN, OWN, CREATES, -1, 0),
        *pieces[turns:],
        (CLOSE, OWN, 0, -1, 0),
        (BARRIER, 1, 0, -1, 0),
        (OPEN, OWN, 0o100000, -1, 0),
        *[(READ, OWN, PIECE, 0, 0)] * turns,
        (CLOSE, OWN, 0, -1, 0),
    ]


def trace(ranks: int, turns: int) -> Trace:
    """The trace of that program; a call takes 500 ns and begins up to 100 ns late."""
    rows = np.array(program(turns), np.int64)
    call, file, length, offset, of_rank = rows.T
    turn = np.concatenate(
        [np.arange(len(some)) for some in np.split(rows, np.flatnonzero(np.diff(call)) + 1)]
    )
    offset = offset + np.where(call == READ, PIECE, 0) * turn
    own = (call == WRITE) & (file == OWN)
    offset = offset + np.where(own, PIECE * turn, 0)
    shared = (length == PIECE) & (file == SHARED)
    number = np.cumsum(shared) - 1
    offset = offset + np.where(shared, (24 + PIECE * number) * ranks, 0)
    random = np.random.default_rng(1)
    lanes = []
    for rank in range(ranks):
        records = np.zeros(len(rows), RECORD)
        records["begin_ticks"] = 1000 * np.arange(len(rows)) + random.integers(0, 100, len(rows))
        records["end_ticks"] = records["begin_ticks"] + 500
        records["offset"] = offset + of_rank * rank
        records["length"] = records["result"] = length
        records["result"][call == OPEN] = 3
        records["call"], records["file"] = call, file
        records["flags"] = call == BARRIER
        files = np.array([0, 1, 2 + rank, 0])
        everyone = np.array([0, 1, 0])
        calls = np.arange(len(CALLS) + 1) % len(CALLS)
        lanes.append(Lane(rank, f"n{rank // 64}", rank, 1, records, Clock(0, 0, 1.0), calls, files, everyone))
    return Trace(
        name="many",
        command="app",
        ranks=ranks,
        hosts=tuple(f"n{number}" for number in range(-(-ranks // 64))),
        began_real_ns=10**18,
        calls=CALLS,
        files=(File("", 0), File("/d/shared", 0), *(File(f"/d/own.{rank}", 0) for rank in range(ranks))),
        lanes=tuple(lanes),
        processes=ranks,
        run_ns=1000 * len(rows) + 1000,
        communicators=("", f"0-{ranks - 1}"),
    )
