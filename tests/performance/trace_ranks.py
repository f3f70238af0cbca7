#!/usr/bin/env python3
"""How long traces of very many ranks take: to load, to make tables, the page and a pattern of, to pack and to
load again. Traces are made by rule, with names of files as MPI leaves them in every process. Memory is the
most that was taken up to there."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import trace_tables

SHAPES = ((1024, 1000), (8192, 100), (65_536, 16))
"""Ranks, and calls of each."""
GOALS = {(65_536, "load"): 10.0, (8192, "pattern"): 20.0}
"""Seconds, of ranks and what is done; and all in so many bytes:"""
GOAL_BYTES = 2 << 30
MEASURE = """
import json, resource, sys, time
from pathlib import Path
from weir.explain.page.render import write_page
from weir.explain.summarise import summarise
from weir.trace.load import load_trace
from weir.trace.pack.read import load_packed
from weir.trace.pack.write import Times, pack_trace
from weir.trace.pattern.recognise import recognise
from weir.trace.pattern.write import write_pattern

folder, out = map(Path, sys.argv[1:])
found = {}

def measured(name, work):
    start = time.perf_counter()
    result = work()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    found[name] = time.perf_counter() - start, most
    return result

trace = measured("load", lambda: load_trace(folder))
summary = measured("tables", lambda: summarise(trace))
measured("page", lambda: write_page(summary, trace, out / "page.html"))
measured("pattern", lambda: write_pattern(recognise(trace), out / "P.json"))
with (out / "packed").open("wb") as file:
    measured("pack", lambda: pack_trace(folder, file, Times.EXACT))
measured("load packed", lambda: load_packed(out / "packed"))
print(json.dumps(found))
"""


def main() -> int:
    """Measure, print, and say by the exit status whether the goals are met."""
    met = [show(*shape) for shape in SHAPES]
    return 0 if all(met) else 1


def show(ranks: int, calls: int) -> bool:
    """Measure a trace of that shape, and print its lines."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as out:
        make = [trace_tables.PYTHON, "-c", trace_tables.MAKE, Path(__file__).parent, folder]
        subprocess.run([*make, str(ranks), str(calls)], check=True)
        command = [trace_tables.PYTHON, "-c", MEASURE, folder, out]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    print(f"{ranks:,} ranks with {calls:,} calls each")
    met = [show_line(ranks, *one) for one in json.loads(done.stdout).items()]
    return all(met)


def show_line(ranks: int, name: str, found: tuple[float, int]) -> bool:
    """One time, and its goal where there is one."""
    seconds, most = found
    goal = GOALS.get((ranks, name))
    met = most <= GOAL_BYTES and (goal is None or seconds <= goal)
    said = f", goal at most {goal:.0f} s" if goal else ""
    print(f"  {name:12} {seconds:7.2f} s, {most / 2**20:6,.0f} MiB{said}{'' if met else ': MISSED'}")
    return met


if __name__ == "__main__":
    sys.exit(main())
