"""Traces made by hand, for tests of what is made from traces."""

from collections.abc import Sequence

import numpy as np

from weir.trace.lane import Clock, Lane
from weir.trace.model import Trace
from weir.trace.names import Call, File
from weir.trace.stream import RECORD

CALLS = (
    Call("DAMAGED", "unknown", "other"),
    Call("POSIX", "pwrite", "write"),
    Call("POSIX", "pread", "read"),
    Call("POSIX", "open", "open"),
    Call("POSIX", "close", "close"),
    Call("MPI-IO", "MPI_File_write_all", "write"),
    Call("MPI", "MPI_Send", "communicate"),
    Call("MPI", "MPI_Barrier", "communicate"),
    Call("MPI", "MPI_Init", "other"),
    Call("STDIO", "fwrite", "write"),
    Call("MARK", "weir_mark_begin", "mark"),
    Call("MARK", "weir_mark_end", "mark"),
    Call("PnetCDF", "ncmpi_wait", "wait"),
    Call("POSIX", "fsync", "sync"),
    Call("STDIO", "fflush", "sync"),
    Call("HDF5", "H5Dwrite", "write"),
    Call("HDF5", "H5Fopen", "open"),
    Call("MPI-IO", "MPI_File_open", "open"),
    Call("MPI", "MPI_Allreduce", "communicate"),
    Call("MPI", "MPI_Bcast", "communicate"),
    Call("MPI", "MPI_Reduce", "communicate"),
    Call("MPI", "MPI_Recv", "communicate"),
)
FILES = (
    File("", 0),
    File("/data/a", 0),
    File("/data/b", 0),
    File("density", 2),
    File("dump", 0),
    File("solve", 0),
)

CallRow = tuple[str, int, int, int, int, int, int, int]
"""Of one call: its name, index of its file, begin and end in ns, offset, length, result, level."""


def lane(rank: int, rows: Sequence[CallRow], thread: int = 1) -> Lane:
    """A lane of these calls, in the order in which they ended."""
    numbers = {call.name: number for number, call in enumerate(CALLS)}
    records = np.array(
        [
            (begin, end, offset, length, result, file, numbers[name], level, int(name.endswith("_all")))
            for name, file, begin, end, offset, length, result, level in rows
        ],
        RECORD,
    )
    names = np.arange(len(CALLS)), np.arange(len(FILES))
    return Lane(rank, "node", 100 + rank, thread, records, Clock(0, 0, 1.0), *names)


def trace(*lanes: Lane, run_ns: int | None = None) -> Trace:
    """A trace of these lanes."""
    last = max((int(one.records["end_ticks"].max()) for one in lanes if len(one.records)), default=0)
    return Trace(
        name="made",
        command="app",
        ranks=len({one.rank for one in lanes}),
        hosts=("node",),
        began_real_ns=10**18,
        calls=CALLS,
        files=FILES,
        lanes=lanes,
        processes=len(lanes),
        run_ns=last if run_ns is None else run_ns,
    )
