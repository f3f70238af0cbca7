#!/usr/bin/env python3
"""How long `weir --help` takes, started again each time: at most 0.2 s."""

import statistics
import subprocess
import sys
import time
from pathlib import Path

GOAL_S = 0.2
weir = Path(__file__).parents[2] / ".venv" / "bin" / "weir"

times = []
for _ in range(15):
    start = time.perf_counter()
    subprocess.run([weir, "--help"], check=True, stdout=subprocess.DEVNULL)
    times.append(time.perf_counter() - start)
times.sort()
median = statistics.median(times)
# With 15 samples, the 4th and the 12th enclose the median with 96.5 % (order statistics).
met = median <= GOAL_S
print(
    f"{'weir --help':58} {median:10.3f} [{times[3]:.3f}, {times[11]:.3f}] s (n = 15), "
    f"goal at most {GOAL_S}: {'met' if met else 'MISSED'}"
)
sys.exit(0 if met else 1)
