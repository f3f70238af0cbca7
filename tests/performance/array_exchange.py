#!/usr/bin/env python3
"""What the two-phase library's planner takes within a node beside shared memory, messages, ROMIO, and another
build of it (WEIR_ARRAY_BESIDE=FOLDER), in turns: blocks of cubes from 8^3 on, in memory.

Goals: at most 1.05 times the quicker route, and the other build; of ROMIO's time at most 0.45 up to 1 MiB.
Exit code 1 if one was missed.
"""

import argparse
import json
import sys
from pathlib import Path

from peers.array.cases import Place
from peers.array.contenders import PROGRAM, ask_contenders
from peers.array.exchange import NAMES, Ratio, play_in_a_row, ratios, seconds_of, sweep
from peers.array.rounds import OPERATIONS, Played
from peers.array.server import serving
from peers.array.show import append_samples
from peers.busy import busy_cores, warn_if_busy
from peers.compare import Verdict
from peers.launch import scratch
from peers.places import MEMORY
from peers.settings import wanted
from peers.show import spell

from weir.analyse.statistics import estimate_median
from weir.cli._streams import print_table
from weir.launch.base import LaunchSpec, find_launcher


def parse() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", default="8,16,32,64,128,256", help="elements along each side of the cubes")
    parser.add_argument("--ranks", default="2,4,8,16", help="rank counts, with commas between them")
    parser.add_argument("--quick", action="store_true", help="cubes of 16 and 64 on 4 ranks")
    parser.add_argument("--repetitions", type=int, default=9, help="an interval needs 6 at least")
    parser.add_argument(
        "--launches",
        type=int,
        default=1,
        help="of each case; of 6 and more, the interval is that of their medians, which differ more than "
        "repetitions of one launch",
    )
    parser.add_argument("--only", default="", help='only cases with these words in their names: "32^3 2x2x1"')
    parser.add_argument("--directory", type=Path, default=MEMORY, help="where to dump (default: %(default)s)")
    parser.add_argument("--out", type=Path, help="append every sample and ratio to this file, as JSON Lines")
    settings = parser.parse_args()
    if settings.quick:
        settings.edges, settings.ranks = "16,64", "4"
    return settings


def show(launches: list[Played], found: list[Ratio]) -> None:
    """A row an operation: seconds of each, and the ratios."""
    rows = []
    for operation in OPERATIONS:
        seconds = [spell(estimate_median(seconds_of(launches, name, operation))) for name in NAMES]
        shares = [
            f"{one.beside} {spell(one.value)}{_mark(one)}" for one in found if one.operation == operation
        ]
        rows.append([operation, *seconds, ", ".join(shares)])
    headings = ("", *(f">{name} s" for name in NAMES), "of the time of")
    print_table(headings, rows, title=launches[0].case.name)
    for name, reason in [failed for played in launches for failed in played.failed.items()]:
        print(f"{name} FAILED: {reason}")
    print(flush=True)


def _mark(one: Ratio) -> str:
    return " MISSED" if one.verdict is Verdict.MISSED else ""


def show_extremes(found: list[Ratio]) -> None:
    """For each that we are beside, the greatest ratio, and where."""
    for beside in dict.fromkeys(one.beside for one in found):
        worst = max((one for one in found if one.beside == beside), key=lambda one: one.value.median)
        print(f"at most {spell(worst.value)} of {beside}: {worst.case.name} {worst.operation}")


def append_ratios(file: Path, found: list[Ratio]) -> None:
    """A line a ratio."""
    with file.open("a") as lines:
        for one in found:
            of_case = {"edge": one.case.edge, "ranks": one.case.ranks, "grid": one.case.grid}
            value = {
                "ratio": one.value.median,
                "low": one.value.low,
                "high": one.value.high,
                "n": one.value.count,
            }
            kind = {"kind": "ratio", "operation": one.operation, "beside": one.beside}
            lines.write(json.dumps(kind | of_case | value) + "\n")


def main() -> int:
    """Compare; returns the exit code."""
    settings = parse()
    launcher = find_launcher("mpirun")
    launcher.prepare()
    contenders = [one for one in ask_contenders(PROGRAM)[0] if one.name in NAMES]
    contenders = [one for one in contenders if not launcher.lacks(LaunchSpec(2, mpi_io=one.mpi_io))]
    edges, ranks = ([int(one) for one in text.split(",")] for text in (settings.edges, settings.ranks))
    all_found: list[Ratio] = []
    busy = 0.0
    with scratch(settings.directory) as folder:
        for case in sweep(edges, ranks, Place(str(settings.directory), folder, cached=True)):
            if not wanted(case.name, settings.only):
                continue
            busy = max(busy, busy_cores())
            launches = []
            for _ in range(settings.launches):
                with serving(case, contenders, launcher) as servers:
                    launches.append(play_in_a_row(case, contenders, servers, settings.repetitions))
                for left in folder.iterdir():
                    left.unlink()
            found = list(ratios(launches))
            show(launches, found)
            all_found += found
            if settings.out:
                for played in launches:
                    append_samples(settings.out, played)
                append_ratios(settings.out, found)
    show_extremes(all_found)
    warn_if_busy(busy)
    missed = sum(one.verdict is Verdict.MISSED for one in all_found)
    print(f"{missed} of {sum(one.verdict is not None for one in all_found)} goals missed")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
