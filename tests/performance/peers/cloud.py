"""The gas cloud's dumps by each of its methods, in turns, and what is known of them afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from peers.array.rounds import OPERATIONS, order
from peers.launch import LaunchFailed
from peers.show import spell
from peers.weir_core import by_phase
from weir.analyse.statistics import MedianEstimate, estimate_median
from weir.cli._streams import print_table

METHODS = ("two-phase", "rank0", "independent")
REPLACED = "rank0"
"""What the paper's routine replaced: the others are held against it."""
MIB = 1 << 20
STEPS_A_DUMP = 5


@dataclass(frozen=True)
class CloudCase:
    """A run without its computing: a restart is read, and so many dumps are written."""

    cells: str
    dumps: int
    directory: Path

    def options(self, method: str) -> dict[str, Any]:
        """For `weir-core cloud`."""
        return {
            "cells": self.cells,
            "physics": False,
            "restarted": True,
            "steps": STEPS_A_DUMP * self.dumps,
            "dump_every": STEPS_A_DUMP,
            "method": method,
            "keep": False,
            "dir": self.directory,
        }


@dataclass
class Taken:
    """Bytes/s by method and operation, a number a round; why a method is out, which then has none."""

    bandwidths: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def of(self, method: str, operation: str) -> list[float]:
        """By round."""
        return self.bandwidths.get(method, {}).get(operation, [])

    def times_faster(self, method: str, operation: str) -> MedianEstimate | None:
        """Its bandwidth over that of what the paper replaced, round by round; None where either failed."""
        pairs = zip(self.of(method, operation), self.of(REPLACED, operation), strict=False)
        return estimate_median([ours / theirs for ours, theirs in pairs])


def take_turns(launch: Callable[[str], Sequence[Mapping[str, Any]]], rounds: int) -> Taken:
    """Each method once a round; who begins changes from round to round. `launch` gives the samples of a
    method's run, or raises LaunchFailed."""
    taken = Taken()
    for number in range(rounds):
        for method in order(METHODS, number):
            if method not in taken.failed:
                _take_turn(taken, method, launch)
    return taken


def _take_turn(taken: Taken, method: str, launch: Callable[[str], Sequence[Mapping[str, Any]]]) -> None:
    try:
        moved = [dict(one) for one in launch(method) if one["phase"] in OPERATIONS]
    except LaunchFailed as error:
        taken.failed[method] = str(error)
        taken.bandwidths.pop(method, None)
        return
    for operation, values in by_phase(moved, "bandwidth_bytes_per_s").items():
        taken.bandwidths.setdefault(method, {}).setdefault(operation, []).extend(values)


def show_taken(title: str, taken: Taken) -> None:
    """The table of a place."""
    rows = []
    for method in METHODS:
        if method in taken.failed:
            print(f"{title}: {method} FAILED: {taken.failed[method]}")
            continue
        cells = [method]
        for operation in OPERATIONS:
            values = taken.of(method, operation)
            cells.append(spell(estimate_median([value / MIB for value in values])))
            cells.append(spell(taken.times_faster(method, operation)))
        rows.append([*cells, str(len(taken.of(method, "write")))])
    headings = ("method", ">dumps MiB/s", f">x {REPLACED}", ">restart MiB/s", f">x {REPLACED}", ">n")
    print_table(headings, rows, title=title)
    print(flush=True)


def append_samples(file: Path, case: CloudCase, ranks: int, taken: Taken) -> None:
    """A line a sample, and one for each method that failed."""
    of_case = {"cells": case.cells, "dumps": case.dumps, "ranks": ranks, "place": str(case.directory)}
    with file.open("a") as lines:
        for method, operations in taken.bandwidths.items():
            for operation, values in operations.items():
                for number, value in enumerate(values):
                    line = {"kind": "sample", **of_case, "method": method, "operation": operation}
                    line |= {"round": number, "bandwidth_bytes_per_s": value}
                    lines.write(json.dumps(line) + "\n")
        for method, reason in taken.failed.items():
            lines.write(json.dumps({"kind": "failure", **of_case, "method": method, "reason": reason}) + "\n")
