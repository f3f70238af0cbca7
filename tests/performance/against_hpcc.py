#!/usr/bin/env python3
"""Weir's benchmark `rings` beside the program of the HPC Challenge: launches of both in turns.

HPCC sends large buffers that it never wrote, which all lie on one page of zeros: its bandwidth would be that
of a cache. Here both sides' buffers are written to; with --unwritten both are as HPCC has them.

Goal: the interval of the ratio of the two lies inside 3 % on two ranks, and inside 10 % where ranks share
cores. Only rounds count that the machine's main state lasted through. Exit code 1 if one lies outside; what
is too noisy to tell is said.
"""

import shutil
import sys
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from peers.hpcc import hpcc_results
from peers.launch import Ranks, scratch
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

LATENCY, BANDWIDTH = "latency", "bandwidth"
NAMES = {
    ("ping-pong", "least_latency_us"): "MinPingPongLatency_usec",
    ("ping-pong", "latency_us"): "AvgPingPongLatency_usec",
    ("natural-ring", "latency_us"): "NaturallyOrderedRingLatency_usec",
    ("random-ring", "latency_us"): "RandomlyOrderedRingLatency_usec",
    ("ping-pong", "bandwidth_bytes_per_s"): "AvgPingPongBandwidth_GBytes",
    ("ping-pong", "greatest_bandwidth_bytes_per_s"): "MaxPingPongBandwidth_GBytes",
    ("natural-ring", "bandwidth_bytes_per_s"): "NaturallyOrderedRingBandwidth_GBytes",
    ("random-ring", "bandwidth_bytes_per_s"): "RandomlyOrderedRingBandwidth_GBytes",
}
"""What both measure: our phase and metric, and HPCC's name."""


def key_of(phase: str, metric: str) -> tuple[str, str]:
    """What stands in the table."""
    which = next((f"{word} " for word in ("least", "greatest") if metric.startswith(word)), "")
    return LATENCY if metric.endswith("_us") else BANDWIDTH, f"{which}{phase}"


def run_core(core: Core, ranks: Ranks, sent: str, found: Round) -> None:
    """One launch of ours."""
    case = {"id": "rings", "benchmark": "rings", "options": {"repetitions": 1, "sent": sent}}
    for line in core_samples(core, ranks, [case], found):
        for metric in line["metrics"]:
            name = (line["phase"], metric["key"])
            if name in NAMES:
                found.ours[key_of(*name)] = metric["value"] / (1 if metric["unit"] == "us" else 1e9)


def run_hpcc(program: str, ranks: Ranks, folder: Path, found: Round) -> None:
    """One launch of HPCC."""
    values = hpcc_results(program, ranks, folder)
    found.theirs = {key_of(*name): values[theirs] for name, theirs in NAMES.items()}


def main() -> int:
    """Compare; returns the exit code."""
    parser = comparison_parser(__doc__)
    parser.add_argument("--unwritten", action="store_true", help="send what was never written, as HPCC does")
    asked = parser.parse_args()
    program = shutil.which("hpcc")
    if program is None:
        print("skipped: there is no hpcc on PATH to compare with")
        return 0
    ranks = Ranks(asked.ranks)
    as_it_is = nullcontext(dict[str, str]())
    with scratch(Path("/tmp")) as folder, as_it_is if asked.unwritten else on_pages(filled=True) as ranks.env:
        ours = partial(run_core, Core(find_core()), ranks, "unwritten" if asked.unwritten else "written")
        pair = (ours, partial(run_hpcc, program, ranks, folder))
        rounds = in_turns(asked.launches, [pair])
    units = {LATENCY: "µs", BANDWIDTH: "GB/s"}
    return show_rounds(of_main_state(rounds), "HPCC", units, goal_for(asked.ranks), as_json=asked.json)


if __name__ == "__main__":
    sys.exit(main())
