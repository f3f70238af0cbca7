#!/usr/bin/env python3
"""Weir's benchmark of MPI's functions beside the Intel MPI Benchmarks: launches of both in turns, a function
in each.

What is compared is by IMB's rule on both sides: the mean of all calls of the slowest rank. With --median it
is our median of batches, which leaves disturbed calls out, beside IMB's mean.

Goal: with the clock that IMB uses, the interval of the ratio of the two times lies inside 3 % on two ranks,
and inside 10 % where ranks share cores, for each function and size. Only rounds count that the machine's main
state lasted through. Exit code 1 if one lies outside; what is too noisy to tell is said.
"""

import shutil
import sys
from functools import partial

from peers.imb import Imb
from peers.launch import Ranks
from peers.placement import on_pages
from peers.rounds import (
    Round,
    comparison_parser,
    core_samples,
    goal_for,
    in_turns,
    of_main_state,
    show_rounds,
)

from weir.core.client import Core, find_core
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


BY_RULE, MEDIAN = "imb_t_max_us", "time_us"


def run_core(core: Core, ranks: Ranks, how: tuple[str, float], function: str, found: Round) -> None:
    """One launch of ours: the function at its sizes, by IMB's clock. `how`: the metric, a case's budget."""
    metric, budget_s = how
    cases = [
        {
            "id": f"{function} {size}",
            "benchmark": "network",
            "options": {"function": function, "bytes": size, "clock": "mpi", "budget": budget_s},
        }
        for size in (SIZES if function != "Barrier" else (0,))
    ]
    for line in core_samples(core, ranks, cases, found):
        function, size = line["case"].split()
        values = {one["key"]: one["value"] for one in line["metrics"]}
        found.ours[function, format_bytes(int(size))] = values[metric]


def run_imb(imb: Imb, function: str, found: Round) -> None:
    """One launch of IMB. The first calls of a process are slow, which ours does not time: before the function
    comes another."""
    times = imb.run(("Barrier" if function != "Barrier" else "PingPong", function), SIZES)
    found.theirs = {(function, format_bytes(size)): time for (function, size), time in times.items()}


def main() -> int:
    """Compare; returns the exit code."""
    parser = comparison_parser(__doc__)
    parser.add_argument("--functions", default=",".join(FUNCTIONS), help="default: all twelve")
    parser.add_argument("--case-budget", default="25ms", help="time of each of our cases")
    parser.add_argument("--median", action="store_true", help="our median beside IMB's mean")
    parser.add_argument("--amount", default="50000,400", help="calls of a size of IMB, and MiB at most")
    asked = parser.parse_args()
    program = shutil.which("IMB-MPI1")
    if program is None:
        print("skipped: there is no IMB-MPI1 on PATH to compare with")
        return 0
    ranks, functions = Ranks(asked.ranks), tuple(asked.functions.split(","))
    metric = MEDIAN if asked.median else BY_RULE
    ours = partial(run_core, Core(find_core()), ranks, (metric, parse_seconds(asked.case_budget)))
    theirs = partial(run_imb, Imb(program, ranks, asked.amount))
    with on_pages() as ranks.env:
        pairs = [(partial(ours, function), partial(theirs, function)) for function in functions]
        rounds = in_turns(asked.launches, pairs)
    return show_rounds(of_main_state(rounds), "IMB", {"": "µs"}, goal_for(asked.ranks), as_json=asked.json)


if __name__ == "__main__":
    sys.exit(main())
