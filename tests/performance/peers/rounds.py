"""Times of both sides: launches in turns, the rounds that count, and what the ratios say."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from peers.launch import LaunchFailed, Ranks
from peers.show import spell
from weir.analyse.machine_state import find_states
from weir.analyse.statistics import MedianEstimate, estimate_median
from weir.cli._streams import print_json, print_table
from weir.core.client import Core
from weir.launch.base import usable_cores

Key = tuple[str, str]
"""What was measured, and at which size: the first two columns of the table."""
Values = dict[Key, float]
TIGHT, WIDE = 0.03, 0.10


@dataclass
class Round:
    """A launch of each side, and what the core's probes found in ours: the time of a hand-off, in ns."""

    ours: Values = field(default_factory=dict)
    theirs: Values = field(default_factory=dict)
    probes_ns: list[float] = field(default_factory=list)


def comparison_parser(description: str | None) -> argparse.ArgumentParser:
    """What every comparison can be asked."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--launches", type=int, default=15, help="of each side and what it runs (default 15)")
    parser.add_argument("--quick", dest="launches", action="store_const", const=6, help="6 launches")
    parser.add_argument("--json", action="store_true")
    return parser


def goal_for(ranks: int) -> float:
    """How far from 1 the interval of a ratio may reach: farther where ranks share cores."""
    return TIGHT if ranks <= usable_cores() else WIDE


def core_samples(
    core: Core, ranks: Ranks, cases: Sequence[dict[str, Any]], found: Round
) -> list[dict[str, Any]]:
    """The sample lines of one launch of ours; its probes go into `found`."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"schema": 1, "warm_memory_bytes": 0, "cases": cases}, file)
        file.flush()
        said = ranks.run(core.program, file.name)
    lines = [json.loads(line) for line in said.splitlines()]
    for line in lines:
        if line["kind"] == "failure":
            raise LaunchFailed(f"{line['problem']} ({line['reason']})")
        if line["kind"] == "state" and line["handoff_ns"]:
            found.probes_ns.append(float(line["handoff_ns"]["max"]))
    return [line for line in lines if line["kind"] == "sample"]


Side = Callable[[Round], None]


def in_turns(launches: int, pairs: Sequence[tuple[Side, Side]]) -> list[Round]:
    """Rounds of each pair of ours and theirs, so many, the pairs in turns; who begins changes every time."""
    rounds = []
    for number in range(launches):
        began = time.monotonic()
        for pair in pairs:
            one = Round()
            for side in pair if number % 2 == 0 else reversed(pair):
                side(one)
            rounds.append(one)
        print(f"  launch {number + 1}: {time.monotonic() - began:.1f} s", file=sys.stderr)
    return rounds


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


def show_rounds(rounds: list[Round], peer: str, units: dict[str, str], goal: float, *, as_json: bool) -> int:
    """The table, or JSON; `units` by what was measured, "" for the others. Returns the exit code: 1 if an
    interval lies outside the goal."""
    rows, data, verdicts = [], [], []
    for key in dict.fromkeys(key for one in rounds for key in one.ours):
        both = [one for one in rounds if one.ours.get(key) and one.theirs.get(key)]
        ours, theirs = [one.ours[key] for one in both], [one.theirs[key] for one in both]
        ratio = estimate_median([our / their for our, their in zip(ours, theirs, strict=True)])
        found = verdict(ratio, goal)
        verdicts.append(found)
        mine, other = estimate_median(ours), estimate_median(theirs)
        name, size = key
        unit = units.get(name, units.get("", ""))
        rows.append([name, size, spell(mine), spell(other), unit, spell(ratio), str(len(ours)), found])
        data.append({"what": name, "size": size, "unit": unit, "verdict": found, "weir": ours, peer: theirs})
    if as_json:
        print_json({"goal": goal, "points": data})
    else:
        columns = ("what", ">size", ">Weir", f">{peer}", "", ">ratio", ">n", f"inside {goal:.0%}?")
        print_table(columns, rows)
        print(
            ", ".join(f"{verdicts.count(one)} {one}" for one in dict.fromkeys(verdicts)) or "no round counts"
        )
    return int("OUTSIDE" in verdicts)
