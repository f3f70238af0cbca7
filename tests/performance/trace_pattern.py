#!/usr/bin/env python3
"""How long it takes to turn a trace of a million calls into a pattern, started each time: a few seconds; and
one of ten million: at most 30 s and 2 GiB. The trace is made by rule: 16 ranks write and read two files in
turn; and the same in a drawn order of places, where nothing repeats."""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import trace_tables

RANKS, CALLS, RUNS = 16, 1_000_000, 5
MANY, MANY_RUNS = 10_000_000, 3
GOAL_S, GOAL_BYTES = 30.0, 2 << 30
"""Of many calls."""
SHUFFLE = """
import sys
from pathlib import Path
import numpy as np
from weir.trace.stream import HEAD, RECORD
for path in Path(sys.argv[1]).glob("*.records"):
    records = np.memmap(path, RECORD, "r+", HEAD.itemsize)
    records["offset"] = np.random.default_rng(1).permutation(records["offset"])
    records["call"] = 1
    records["file"] = 1
"""
RECOGNISE = """
import resource, sys
from pathlib import Path
from weir.trace.load import load_trace
from weir.trace.pattern.recognise import recognise
from weir.trace.pattern.write import write_pattern
from weir.trace.pattern.describe import steps_of
found = recognise(load_trace(Path(sys.argv[1])))
written = write_pattern(found, Path(sys.argv[2]) / "P.json")
steps = sum(steps_of(phase.steps) for phase in found.phases)
most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(found.operations, steps, sum(path.stat().st_size for path in written), most)
"""


def measure(name: str, folder: str, calls: int, runs: int) -> bool:
    """Print the times of one trace. Are the goals met, where it has many calls?"""
    times, peak = [], 0
    with tempfile.TemporaryDirectory() as out:
        for _ in range(runs):
            start = time.perf_counter()
            command = [trace_tables.PYTHON, "-c", RECOGNISE, folder, out]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            times.append(time.perf_counter() - start)
            operations, steps, size, most = map(int, done.stdout.split())
            peak = max(peak, most)
    assert operations >= calls // RANKS * RANKS
    met = calls < MANY or (statistics.median(times) <= GOAL_S and peak <= GOAL_BYTES)
    goal = f", goal at most {GOAL_S:.0f} s and {GOAL_BYTES >> 20:,} MiB: {'met' if met else 'MISSED'}"
    print(
        f"{f'pattern of {calls:,} calls, {name}':40} {statistics.median(times):6.2f} "
        f"[{min(times):.2f}, {max(times):.2f}] s (n = {runs}), {peak / 2**20:,.0f} MiB, {steps:,} steps, "
        f"{size:,} bytes{goal if calls >= MANY else ''}"
    )
    return met


def main() -> int:
    """Measure, print, and say by the exit status whether the goals are met."""
    met = []
    for calls, runs in ((CALLS, RUNS), (MANY, MANY_RUNS)):
        with tempfile.TemporaryDirectory() as folder:
            make = [trace_tables.PYTHON, "-c", trace_tables.MAKE, Path(__file__).parent, folder]
            subprocess.run([*make, str(RANKS), str(calls // RANKS)], check=True)
            met.append(measure("regular", folder, calls, runs))
            subprocess.run([trace_tables.PYTHON, "-c", SHUFFLE, folder], check=True)
            met.append(measure("shuffled", folder, calls, runs))
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
