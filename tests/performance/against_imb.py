#!/usr/bin/env python3
"""Weir's benchmark of MPI's functions beside the Intel MPI Benchmarks: launches of both in turns.

Goal: with the clock that IMB uses, the interval of the ratio of the two times lies inside 3 % on two ranks,
and inside 10 % where ranks share cores, for each function and size. Only rounds count that the machine's main
state lasted through. Exit code 1 if one lies outside; what is too noisy to tell is said.
"""

import argparse
import json
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass, field

from peers.imb import Imb, Times
from peers.launch import LaunchFailed, Ranks
from peers.placement import on_pages
from peers.show import spell

from weir.analyse.machine_state import find_states
from weir.analyse.statistics import MedianEstimate, estimate_median
from weir.cli._streams import print_json, print_table
from weir.core.client import Core, find_core
from weir.launch.base import usable_cores
from weir.units import format_bytes, parse_seconds

FUNCTIONS = (
    "PingPong",
    "PingPing",
    "Sendrecv",
    "Exchange",
    "Allreduce",
    "Reduce",
    "Reduce_scatter",
    "Allgather",
    "Allgatherv",
    "Alltoall",
    "Bcast",
    "Barrier",
)
SIZES = (8, 1 << 10, 1 << 16, 1 << 20, 1 << 22)
TIGHT, WIDE = 0.03, 0.10


@dataclass
class Round:
    """A launch of each side, and what the core's probes found in ours: the time of a hand-off, in ns."""

    ours: Times = field(default_factory=dict)
    theirs: Times = field(default_factory=dict)
    probes_ns: list[float] = field(default_factory=list)


def run_core(core: Core, ranks: Ranks, budget_s: float, found: Round) -> None:
    """One launch of ours: the same functions and sizes, by IMB's clock."""
    cases = [
        {
            "id": f"{function} {size}",
            "benchmark": "network",
            "options": {"function": function, "bytes": size, "clock": "mpi", "budget": budget_s},
        }
        for function in FUNCTIONS
        for size in (SIZES if function != "Barrier" else (0,))
    ]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"schema": 1, "warm_memory_bytes": 0, "cases": cases}, file)
        file.flush()
        said = ranks.run(core.program, file.name)
    for line in map(json.loads, said.splitlines()):
        if line["kind"] == "failure":
            raise LaunchFailed(f"{line['problem']} ({line['reason']})")
        if line["kind"] == "sample":
            function, size = line["case"].split()
            found.ours[function, int(size)] = line["metrics"][0]["value"]
        if line["kind"] == "state" and line["handoff_ns"]:
            found.probes_ns.append(float(line["handoff_ns"]["max"]))


def of_main_state(rounds: list[Round]) -> list[Round]:
    """The rounds in whose launch of ours, and those before and after, nearly all probes show the state that
    most probes show; says which that is."""
    states = find_states([time for one in rounds for time in one.probes_ns])
    if not states:
        print("the machine's state is not known", file=sys.stderr)
        return rounds
    main = max(states, key=lambda state: state.probes)

    def lasted(one: Round) -> bool:
        inside = sum(main.low_ns <= time <= main.high_ns for time in one.probes_ns)
        return inside >= 0.9 * len(one.probes_ns)

    kept = [one for at, one in enumerate(rounds) if all(map(lasted, rounds[max(at - 1, 0) : at + 2]))]
    seen = " or ".join(f"{state.handoff_ns:.3g} ns ({state.probes} probes)" for state in states)
    print(f"hand-off of a cache line: {seen}; {len(kept)} of {len(rounds)} rounds count", file=sys.stderr)
    return kept


def verdict(ratio: MedianEstimate | None, goal: float) -> str:
    """What the interval of the ratio says about the goal."""
    if ratio is None or ratio.low is None or ratio.high is None:
        return "too few launches"
    if ratio.low >= 1 - goal and ratio.high <= 1 + goal:
        return "inside"
    if ratio.high < 1 - goal or ratio.low > 1 + goal:
        return "OUTSIDE"
    return "too noisy"


def main() -> int:
    """Compare; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--launches", type=int, default=15, help="of each side (default 15)")
    parser.add_argument("--case-budget", default="12ms", help="time of each of our cases")
    parser.add_argument("--quick", action="store_true", help="6 launches")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    program = shutil.which("IMB-MPI1")
    if program is None:
        print("skipped: there is no IMB-MPI1 on PATH to compare with")
        return 0
    ranks, core = Ranks(asked.ranks), Core(find_core())
    imb = Imb(program, ranks)
    rounds: list[Round] = []
    with on_pages() as ranks.env:
        for number in range(6 if asked.quick else asked.launches):
            began = time.monotonic()
            one = Round()
            # Who begins changes from round to round.
            for side in (0, 1) if number % 2 == 0 else (1, 0):
                if side == 0:
                    run_core(core, ranks, parse_seconds(asked.case_budget), one)
                else:
                    one.theirs = imb.run(FUNCTIONS, SIZES)
            rounds.append(one)
            print(f"  launch {number + 1}: {time.monotonic() - began:.1f} s", file=sys.stderr)
    return show(of_main_state(rounds), TIGHT if asked.ranks <= usable_cores() else WIDE, as_json=asked.json)


def show(rounds: list[Round], goal: float, *, as_json: bool) -> int:
    """The table, or JSON; returns the exit code."""
    rows, data, verdicts = [], [], []
    ours, theirs = [one.ours for one in rounds], [one.theirs for one in rounds]
    for key in ours[0]:
        if any(key not in one or one[key] == 0 for one in theirs):
            continue
        ratio = estimate_median([our[key] / their[key] for our, their in zip(ours, theirs, strict=True)])
        found = verdict(ratio, goal)
        verdicts.append(found)
        mine, other = (estimate_median([one[key] for one in side]) for side in (ours, theirs))
        function, size = key
        count = str(len(ours))
        rows.append(
            [function, format_bytes(size), spell(mine), spell(other), "µs", spell(ratio), count, found]
        )
        samples = {"weir_us": [one[key] for one in ours], "imb_us": [one[key] for one in theirs]}
        data.append({"function": function, "bytes": size, "verdict": found, **samples})
    if as_json:
        print_json({"goal": goal, "points": data})
    else:
        print_table(("function", ">size", ">Weir", ">IMB", "", ">ratio", ">n", f"inside {goal:.0%}?"), rows)
        print(", ".join(f"{verdicts.count(name)} {name}" for name in dict.fromkeys(verdicts)))
    return int("OUTSIDE" in verdicts)


if __name__ == "__main__":
    sys.exit(main())
