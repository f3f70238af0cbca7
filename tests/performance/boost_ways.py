#!/usr/bin/env python3
"""Collective calls of many shapes as MPI carries them out and as the boost library does, in turns within one
program: parts of ranks that lie within each other (with holes too), and that are apart (in one piece each, or
with holes), and parts of a lattice in four dimensions, over ROMIO and OMPIO.

Goal: no shape at less than 1/1.05 of MPI's speed.
Exit code 1 if one was.
"""

import argparse
import sys
from collections import defaultdict
from pathlib import Path

from peers.busy import busy_cores, warn_if_busy
from peers.compare import Verdict, judge
from peers.launch import Ranks
from peers.places import places
from peers.settings import parser_of_places, wanted
from peers.show import count_verdicts, spell

from weir.analyse.statistics import estimate_median
from weir.boost.run import LIBRARY
from weir.cli._streams import print_table

NEVER_BELOW = 1 / 1.05
SHAPES = ("interleaved", "holes", "apart", "sieved", "lattice")
MPI_IO = ("romio", "ompio")
LONGEST_S = 1200
ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build/release/bin/performance/boost/boost_ways"
Pairs = dict[tuple[str, int, int], list[tuple[float, float]]]


def parse() -> argparse.Namespace:
    """The options."""
    parser = parser_of_places(__doc__ or "")
    parser.add_argument("--ranks", default="2,4", help="rank counts, with commas between them")
    parser.add_argument("--repetitions", type=int, default=11, help="an interval needs 6 at least")
    parser.add_argument("--quick", action="store_true", help="6 repetitions on 2 ranks, into memory")
    parser.add_argument("--only", default="", help='only with these words: "romio apart"')
    settings = parser.parse_args()
    if settings.quick:
        settings.repetitions, settings.ranks, settings.only = 6, "2", f"{settings.only} /dev/shm"
    return settings


def measure(ranks: int, mpi_io: str, folder: Path, repetitions: int, shape: str) -> Pairs:
    """Seconds left to MPI and boosted, by operation, bytes of a piece, and bytes of a rank."""
    preload = f"LD_PRELOAD={ROOT / 'build/release/lib' / LIBRARY}"
    said = Ranks(ranks, mpi_io, LONGEST_S).run("env", preload, PROGRAM, folder, str(repetitions), shape)
    pairs: Pairs = defaultdict(list)
    for operation, _, piece, size, left, boosted in map(str.split, said.splitlines()):
        pairs[operation, int(piece), int(size)].append((float(left), float(boosted)))
    return pairs


def show(title: str, pairs: Pairs) -> list[Verdict]:
    """A table; returns what came of the goal."""
    rows, verdicts = [], []
    for (operation, piece, size), both in pairs.items():
        ratio = estimate_median([left / boosted for left, boosted in both])
        assert ratio is not None
        verdicts.append(judge(ratio, NEVER_BELOW))
        times = [spell(estimate_median([pair[side] for pair in both]), 1e-6) for side in (0, 1)]
        rows.append([operation, str(piece), str(size), *times, spell(ratio), verdicts[-1].value])
    heads = ("", ">bytes a piece", ">a rank", ">left us", ">boosted us", ">times as fast", "goal")
    print_table(heads, rows, title=title)
    return verdicts


def main() -> int:
    """Measure all; returns the exit code."""
    settings = parse()
    verdicts: dict[Verdict, int] = defaultdict(int)
    busy = busy_cores()
    with places(settings.directory) as storages:
        for place in storages:
            for mpi_io in MPI_IO:
                for ranks in map(int, settings.ranks.split(",")):
                    for shape in SHAPES:
                        title = f"{mpi_io} {shape} {ranks} ranks {place.name}"
                        if wanted(title, settings.only):
                            found = measure(ranks, mpi_io, place.directory, settings.repetitions, shape)
                            for verdict in show(title, found):
                                verdicts[verdict] += 1
    print(f"never below {NEVER_BELOW:.2f}: {count_verdicts(verdicts, 'nothing compared')}")
    warn_if_busy(busy)
    return int(verdicts[Verdict.MISSED] > 0)


if __name__ == "__main__":
    sys.exit(main())
