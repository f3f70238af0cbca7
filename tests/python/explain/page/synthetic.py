"""Made-up traces of any size, as arrays."""

import numpy as np
from numpy.typing import NDArray

from weir.trace.lane import Clock, Lane
from weir.trace.model import Trace
from weir.trace.names import Call, File
from weir.trace.stream import RECORD

CALLS = (
    Call("DAMAGED", "unknown", "other"),
    Call("MPI-IO", "MPI_File_write_at_all", "write"),
    Call("POSIX", "pwrite", "write"),
    Call("POSIX", "pread", "read"),
    Call("POSIX", "open", "open"),
    Call("POSIX", "close", "close"),
    Call("POSIX", "fsync", "sync"),
)
FILES = (File("", 0), File("/scratch/run/checkpoint.0001", 0), File("/scratch/run/mesh.h5", 0))


def records(rank: int, count: int, seed: int = 0) -> NDArray[np.void]:
    """A dump again and again: an open, collective writes of four pwrites each, reads, a sync, a close;
    offsets strided by rank. In the order in which calls end."""
    random = np.random.default_rng(seed * 100_003 + rank)
    rows = np.zeros(count, RECORD)
    place = np.arange(count) % 1000
    inner = (place > 0) & (place < 501) & (place % 5 != 0)
    outer = (place > 0) & (place < 501) & (place % 5 == 0)
    rows["call"] = np.select(
        [place == 0, inner, outer, place < 998, place == 998], [4, 2, 1, 3, 6], default=5
    )
    rows["file"] = np.where(rows["call"] == 3, 2, 1)
    took = (random.gamma(4.0, 500.0, count) + 300).astype(np.int64)
    took += np.where(random.random(count) < 0.002, random.exponential(2e5, count).astype(np.int64), 0)
    gap = random.gamma(2.0, 60.0, count).astype(np.int64) + np.where(place == 0, 3_000_000, 0)
    took[outer] = 0
    end = np.cumsum(took + gap)
    begin = end - took
    starts = np.flatnonzero(outer) - 4
    begin[outer] = begin[starts] - 40
    end[outer] = end[outer]
    rows["begin_ticks"], rows["end_ticks"] = begin, end
    sizes = np.select([inner, outer, rows["call"] == 3], [65536, 4 * 65536, 4096], default=0)
    rows["length"] = sizes
    step = np.cumsum(np.where(inner, 65536, 0)) - np.where(inner, 65536, 0)
    rows["offset"] = np.select(
        [inner, outer, rows["call"] == 3],
        [step * 64 + rank * 65536, (step - 4 * 65536) * 64 + rank * 65536, np.arange(count) * 4096],
        default=-1,
    )
    rows["result"] = np.where(sizes > 0, sizes, np.where(rows["call"] == 4, 3, 0))
    rows["level"] = inner
    rows["flags"] = outer
    return rows


def trace(ranks: int, of_each: int, seed: int = 0) -> Trace:
    """Ranks with so many calls each."""
    same = np.arange(max(len(CALLS), len(FILES)) + 1)
    lanes = tuple(
        Lane(
            rank,
            f"node{rank // 64}",
            1000 + rank,
            1,
            records(rank, of_each, seed),
            Clock(0, 0, 1.0),
            same[: len(CALLS)],
            same[: len(FILES)],
        )
        for rank in range(ranks)
    )
    run_ns = max(int(lane.records["end_ticks"][-1]) for lane in lanes)
    return Trace(
        name="made-up",
        command="./dump --again",
        ranks=ranks,
        hosts=tuple(sorted({lane.host for lane in lanes})),
        began_real_ns=10**18,
        calls=CALLS,
        files=FILES,
        lanes=lanes,
        processes=ranks,
        run_ns=run_ns,
    )
