#!/usr/bin/env python3
"""How long loading a trace of ten million calls and making its tables takes, started anew each time: at most
3 s and 2 GiB. The trace is made by rule: 16 ranks write and read two files, at moments that are drawn."""

import json
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GOAL_S, GOAL_BYTES = 3.0, 2 << 30
CALLS, RANKS, RUNS = 10_000_000, 16, 7
PYTHON = Path(__file__).parents[2] / ".venv" / "bin" / "python"

MAKE = "import sys; sys.path.insert(0, sys.argv[1]); import trace_tables; trace_tables.make(sys.argv[2])"
READ = """
import resource, sys
from pathlib import Path
from weir.explain.summarise import summarise
from weir.trace.load import load_trace
tables = summarise(load_trace(Path(sys.argv[1])))
print(sum(row.count for row in tables.operations), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


def make(folder: str) -> None:
    """Write the trace, as the recorder would."""
    import numpy as np  # noqa: PLC0415 (of the environment; the script itself needs none)

    from weir.trace.stream import HEAD, MAGIC, RECORD  # noqa: PLC0415

    calls = CALLS // RANKS
    for rank in range(RANKS):
        prefix = Path(folder) / f"node-{rank + 1}-0"
        facts = {"weir_trace": 1, "process": rank + 1, "host": "node", "rank": rank, "real_ns": 10**18}
        Path(f"{prefix}.process").write_text(json.dumps({**facts, "monotonic_ns": 0}) + "\n")
        names = [
            (1, 1, "POSIX pwrite write"),
            (1, 2, "POSIX pread read"),
            (2, 1, "/shared"),
            (2, 2, f"/own.{rank}"),
        ]
        with Path(f"{prefix}.names").open("wb") as file:
            for kind, number, text in names:
                head = struct.pack("<4I", kind, number, len(text), 0)
                file.write(head + text.encode().ljust(-(-len(text) // 8) * 8, b"\0"))
        drawn, number = np.random.default_rng(rank), np.arange(calls)
        records = np.zeros(calls, RECORD)
        records["begin_ticks"] = number * 1000 + drawn.integers(0, 100, calls)
        records["end_ticks"] = records["begin_ticks"] + drawn.integers(200, 800, calls)
        records["offset"] = (number // 2 * RANKS + rank) * 65536
        records["length"] = records["result"] = 65536
        records["file"], records["call"] = 1 + number % 2, 1 + (number % 4 == 0)
        with Path(f"{prefix}.1.records").open("wb") as file:
            head = (
                MAGIC,
                HEAD.itemsize,
                RECORD.itemsize,
                rank + 1,
                1,
                0,
                0,
                10**18,
                10**9,
                10**9,
                0,
                0,
                0,
                0,
            )
            np.array(head, HEAD).tofile(file)
            records.tofile(file)


def main() -> int:
    """Measure, print, and say by the exit status whether the goals are met."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([PYTHON, "-c", MAKE, Path(__file__).parent, folder], check=True)
        times, peak = [], 0
        for _ in range(RUNS):
            start = time.perf_counter()
            done = subprocess.run([PYTHON, "-c", READ, folder], check=True, capture_output=True, text=True)
            times.append(time.perf_counter() - start)
            calls, size = map(int, done.stdout.split())
            assert calls == CALLS // RANKS * RANKS
            peak = max(peak, size)
    times.sort()
    median = statistics.median(times)
    met = median <= GOAL_S and peak <= GOAL_BYTES
    # With 7 samples, the smallest and the greatest enclose the median with 98.4 % (order statistics).
    print(
        f"{'tables of 10 million calls':40} {median:6.2f} [{times[0]:.2f}, {times[-1]:.2f}] s (n = {RUNS}), "
        f"{peak / 2**20:,.0f} MiB, goal at most {GOAL_S} s and {GOAL_BYTES >> 20:,} MiB: "
        f"{'met' if met else 'MISSED'}"
    )
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
