#!/usr/bin/env python3
"""Collective MPI-IO as it is and with the boost library before it, by the same programs: a cube of doubles in
blocks, by MPI-IO itself, HDF5 and PnetCDF.

Goals: never below 0.97 of the speed without; HDF5 in 2x2x2 blocks 2 times as fast writing and
2.5 times reading.
Exit code 1 if one was missed.
"""

import argparse
import sys
from collections.abc import Iterator

from peers.array.cases import all_cases, by_ranks
from peers.array.contenders import Contender, startable
from peers.array.goals import Judged, missed, times_faster
from peers.array.rounds import OPERATIONS, Played, Rules, play
from peers.array.server import serving
from peers.array.show import show_contenders, show_goals
from peers.busy import busy_cores, warn_if_busy
from peers.compare import judge
from peers.places import places
from peers.settings import parser_of_places, wanted
from peers.show import spell

from weir.analyse.statistics import estimate_median
from weir.cli._streams import print_table
from weir.launch.base import find_launcher

NEVER_BELOW = 0.97
HDF5 = {"write": 2.0, "read": 2.5}
"""Times ROMIO's speed in 2x2x2 blocks."""
SUFFIX = "-boosted"


def parse() -> argparse.Namespace:
    """The options."""
    parser = parser_of_places(__doc__ or "")
    parser.add_argument("--size", type=int, default=160, help="elements along each side of the cube")
    parser.add_argument("--quick", action="store_true", help="a cube of 96")
    parser.add_argument("--ranks", default="2,4,8", help="rank counts, with commas between them")
    parser.add_argument("--repetitions", type=int, default=11, help="an interval needs 6 at least")
    parser.add_argument(
        "--only", default="", help='only cases with these words in their names: "8x1x1 /dev/shm"'
    )
    parser.add_argument("--contenders", default="romio,ompio,hdf5,pnetcdf", help="with commas between them")
    settings = parser.parse_args()
    settings.size = 96 if settings.quick else settings.size
    settings.ranks = [int(count) for count in settings.ranks.split(",")]
    return settings


def pairs_of(played: Played) -> Iterator[tuple[str, str]]:
    """Names of contenders without and with the library, where neither failed."""
    alive = {one.name for one in played.contenders if one.name not in played.failed}
    yield from ((name, name + SUFFIX) for name in sorted(alive) if name + SUFFIX in alive)


def show(played: Played) -> None:
    """Seconds without and with, and how many times as fast."""
    for name, why in played.failed.items():
        print(f"{played.case.name}: {name} FAILED: {why}")
    rows = [
        [
            name,
            operation,
            *(spell(estimate_median(played.seconds(one, operation))) for one in (name, boosted)),
            spell(times_faster(played, boosted, name, operation)),
            str(len(played.seconds(name, operation))),
        ]
        for name, boosted in pairs_of(played)
        for operation in OPERATIONS
    ]
    print_table(("contender", "", ">s", ">boosted s", ">times as fast", ">n"), rows, title=played.case.name)


def goals_of(played: Played) -> Iterator[Judged]:
    """Each goal, with what came of it. Pure."""
    for name, boosted in pairs_of(played):
        for operation in OPERATIONS:
            ratio = times_faster(played, boosted, name, operation)
            goals = [
                NEVER_BELOW,
                *([HDF5[operation]] if name == "hdf5" and played.case.grid == "2x2x2" else []),
            ]
            for goal in goals if ratio is not None else ():
                assert ratio is not None
                yield Judged(played.case.name, operation, f"{goal:g} times {name}", ratio, judge(ratio, goal))


def chosen_of(
    settings: argparse.Namespace, lacks: dict[str, str], all_of: list[Contender]
) -> list[Contender]:
    """Those that were asked for, each with its twin."""
    names = settings.contenders.split(",")
    return [one for one in all_of if one.name not in lacks and one.name.removesuffix(SUFFIX) in names]


def main() -> int:
    """Compare; returns the exit code."""
    settings = parse()
    launcher = find_launcher("mpirun")
    launcher.prepare()
    contenders, left_out = startable(launcher)
    chosen = chosen_of(settings, left_out, list(contenders))
    show_contenders(chosen, {})
    judged: list[Judged] = []
    busy = 0.0
    with places(settings.directory) as storages:
        cases = all_cases(settings.size, settings.ranks, storages)
        for group in by_ranks([case for case in cases if wanted(case.name, settings.only)]):
            with serving(group[0], chosen, launcher) as servers:
                for case in group:
                    busy = max(busy, busy_cores())
                    played = play(case, chosen, servers, Rules(settings.repetitions, case.place.directory))
                    show(played)
                    judged += goals_of(played)
    show_goals(judged)
    warn_if_busy(busy)
    return int(missed(judged))


if __name__ == "__main__":
    sys.exit(main())
