#!/usr/bin/env python3
"""How long it takes to turn a trace of a million calls into a pattern, started each time: a few seconds.
The trace is made by rule: 16 ranks write and read two files in turn; and the same in a drawn order of places,
where nothing repeats."""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import trace_tables

RANKS, CALLS, RUNS = 16, 1_000_000, 5
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
import sys
from pathlib import Path
from weir.trace.load import load_trace
from weir.trace.pattern.recognise import recognise
from weir.trace.pattern.write import write_pattern
from weir.trace.pattern.describe import steps_of
found = recognise(load_trace(Path(sys.argv[1])))
written = write_pattern(found, Path(sys.argv[2]) / "P.json")
steps = sum(steps_of(phase.steps) for phase in found.phases)
print(found.operations, steps, sum(path.stat().st_size for path in written))
"""


def measure(name: str, folder: str) -> None:
    """Print the times of one trace."""
    times = []
    with tempfile.TemporaryDirectory() as out:
        for _ in range(RUNS):
            start = time.perf_counter()
            command = [trace_tables.PYTHON, "-c", RECOGNISE, folder, out]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            times.append(time.perf_counter() - start)
    operations, steps, size = map(int, done.stdout.split())
    assert operations >= CALLS // RANKS * RANKS
    what = f"pattern of a million calls, {name}"
    print(
        f"{what:40} {statistics.median(times):6.2f} [{min(times):.2f}, {max(times):.2f}] s (n = {RUNS}), "
        f"{steps:,} steps, {size:,} bytes"
    )


def main() -> int:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        make = [trace_tables.PYTHON, "-c", trace_tables.MAKE, Path(__file__).parent, folder]
        subprocess.run([*make, str(RANKS), str(CALLS // RANKS)], check=True)
        measure("regular", folder)
        subprocess.run([trace_tables.PYTHON, "-c", SHUFFLE, folder], check=True)
        measure("shuffled", folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
