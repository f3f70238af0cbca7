#!/usr/bin/env python3
"""How long loading a trace of ten million calls and making its tables takes, started again each time: at most
3 s and 2 GiB. Traces are made by rule: ranks write and read two files, one of them their own, at moments that
are drawn."""

import json
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GOAL_S, GOAL_BYTES = 3.0, 2 << 30
RUNS = 7
SHAPES = (
    (16, 625_000, 0, True),
    (4, 2_500_000, 0, False),
    (16, 625_000, 100, False),
    (16, 625_000, 3, False),
)
"""Ranks, calls of each, how many for a barrier if there are any, and whether the goal is of such a trace."""
OF_ALL = 40
"""So many names there are in each process, as MPI opens files when it starts."""
PYTHON = Path(__file__).parents[2] / ".venv" / "bin" / "python"

MAKE = """
import sys
sys.path.insert(0, sys.argv[1])
import trace_tables
trace_tables.make(sys.argv[2], *map(int, sys.argv[3:]))
"""
READ = """
import resource, sys
from pathlib import Path
from weir.explain.summarise import summarise
from weir.trace.load import load_trace
tables = summarise(load_trace(Path(sys.argv[1])))
print(sum(row.count for row in tables.operations), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


def make(folder: str, ranks: int, calls: int, for_barrier: int) -> None:
    """Write the trace, as the recorder would."""
    import numpy as np  # noqa: PLC0415 (of the environment; the script itself needs none)

    from weir.trace.stream import HEAD, MAGIC, RECORD  # noqa: PLC0415

    for rank in range(ranks):
        prefix = Path(folder) / f"node-{rank + 1}-0"
        facts = {"weir_trace": 1, "process": rank + 1, "host": "node", "rank": rank, "real_ns": 10**18}
        Path(f"{prefix}.process").write_text(json.dumps({**facts, "monotonic_ns": 0}) + "\n")
        names = [
            (1, 1, "POSIX pwrite write"),
            (1, 2, "POSIX pread read"),
            *([(1, 3, "MPI MPI_Barrier communicate")] if for_barrier else []),
            (2, 1, "/shared"),
            (2, 2, f"/own.{rank}"),
            *((2, number, f"/usr/lib/lib{number}.so") for number in range(3, OF_ALL)),
            (3, OF_ALL, f"0-{ranks - 1}"),
        ]
        with Path(f"{prefix}.names").open("wb") as file:
            for kind, number, text in names:
                head = struct.pack("<4I", kind, number, len(text), 0)
                file.write(head + text.encode().ljust(-(-len(text) // 8) * 8, b"\0"))
        drawn, number = np.random.default_rng(rank), np.arange(calls)
        records = np.zeros(calls, RECORD)
        records["begin_ticks"] = number * 1000 + drawn.integers(0, 100, calls)
        records["end_ticks"] = records["begin_ticks"] + drawn.integers(200, 800, calls)
        records["offset"] = (number // 2 * ranks + rank) * 65536
        records["length"] = records["result"] = 65536
        records["file"], records["call"] = 1 + number % 2, 1 + (number % 4 == 0)
        if for_barrier:
            barrier = number % for_barrier == for_barrier - 1
            last = number[barrier] * 1000 + 990
            for name, value in (("end_ticks", last), ("offset", -1), ("length", 0), ("result", 0)):
                records[name][barrier] = value
            records["file"][barrier], records["call"][barrier] = OF_ALL, 3
        head = np.zeros(1, HEAD)
        head["magic"], head["head_bytes"], head["record_bytes"] = MAGIC, HEAD.itemsize, RECORD.itemsize
        head["process"], head["thread"], head["start_real_ns"] = rank + 1, 1, 10**18
        head["end_ticks"] = head["end_monotonic_ns"] = 10**9
        with Path(f"{prefix}.1.records").open("wb") as file:
            head.tofile(file)
            records.tofile(file)


def main() -> int:
    """Measure, print, and say by the exit status whether the goals are met."""
    met = [show(*shape) for shape in SHAPES]
    return 0 if all(met) else 1


def show(ranks: int, calls: int, for_barrier: int, has_goal: bool) -> bool:
    """Measure a trace of that shape, and print a line."""
    with tempfile.TemporaryDirectory() as folder:
        shape = [str(ranks), str(calls), str(for_barrier)]
        subprocess.run([PYTHON, "-c", MAKE, Path(__file__).parent, folder, *shape], check=True)
        times, peak = [], 0
        for _ in range(RUNS):
            start = time.perf_counter()
            done = subprocess.run([PYTHON, "-c", READ, folder], check=True, capture_output=True, text=True)
            times.append(time.perf_counter() - start)
            found, size = map(int, done.stdout.split())
            assert found == calls * ranks
            peak = max(peak, size)
    times.sort()
    median = statistics.median(times)
    met = not has_goal or (median <= GOAL_S and peak <= GOAL_BYTES)
    goal = f", goal at most {GOAL_S} s and {GOAL_BYTES >> 20:,} MiB: {'met' if met else 'MISSED'}"
    # With 7 samples, the smallest and the greatest enclose the median with 98.4 % (order statistics).
    barriers = f", a barrier for {for_barrier:,}" if for_barrier else ""
    print(
        f"{f'tables of {ranks:,} ranks with {calls:,} calls{barriers}':60} {median:6.2f} "
        f"[{times[0]:.2f}, {times[-1]:.2f}] s (n = {RUNS}), {peak / 2**20:,.0f} MiB{goal if has_goal else ''}"
    )
    return met


if __name__ == "__main__":
    sys.exit(main())
