#!/usr/bin/env python3
"""The two-phase library beside every collective that people use: a block-distributed array, dumped and read.

Goals where the exchange and not a device decides: writing (sync included) 2 times as fast as the best of
them and 4 times as fast as Open MPI's default, reading 3 and 6 times; anywhere at least 0.95 of the best, and
within 1.3 times the bound. Exit code 1 if a goal was missed.
"""

import argparse
import sys
import time

from peers.array.cases import all_cases, by_ranks
from peers.array.contenders import startable
from peers.array.goals import Judged, judge_all, missed
from peers.array.rounds import Rules, play
from peers.array.server import serving
from peers.array.show import append_samples, show_case, show_contenders, show_goals
from peers.busy import busy_cores, warn_if_busy
from peers.places import places
from peers.settings import parser_of_places, wanted

from weir.launch.base import find_launcher


def parse() -> argparse.Namespace:
    """The options."""
    parser = parser_of_places(__doc__ or "")
    parser.add_argument("--size", type=int, default=256, help="elements along each side of the cube")
    parser.add_argument("--quick", action="store_true", help="a cube of 128")
    parser.add_argument("--ranks", default="2,4,8", help="rank counts, with commas between them")
    parser.add_argument("--repetitions", type=int, default=7, help="an interval needs 6 at least")
    parser.add_argument(
        "--only", default="", help='only cases with these words in their names: "8x1x1 /dev/shm"'
    )
    parser.add_argument("--contenders", default="", help="only these, with commas between them")
    parser.add_argument("--overwrite", action="store_true", help="dump to the same files again, not new ones")
    settings = parser.parse_args()
    settings.size = 128 if settings.quick else settings.size
    settings.ranks = [int(count) for count in settings.ranks.split(",")]
    return settings


def main() -> int:
    """Compare; returns the exit code."""
    settings = parse()
    launcher = find_launcher("mpirun")
    launcher.prepare()
    contenders, left_out = startable(launcher)
    usual = [one.name for one in contenders if one.role not in ("variant", "storage", "boosted")]
    names = settings.contenders.split(",") if settings.contenders else usual
    chosen = [one for one in contenders if one.name not in left_out and one.name in names]
    show_contenders(chosen, left_out)
    began = time.monotonic()
    judged: list[Judged] = []
    failed = False
    busy = 0.0
    with places(settings.directory) as storages:
        cases = all_cases(settings.size, settings.ranks, storages)
        cases = [case for case in cases if wanted(case.name, settings.only)]
        for group in by_ranks(cases):
            with serving(group[0], chosen, launcher) as servers:
                for case in group:
                    busy = max(busy, busy_cores())
                    rules = Rules(settings.repetitions, case.place.directory, settings.overwrite)
                    played = play(case, chosen, servers, rules)
                    show_case(played)
                    judged += judge_all(played)
                    failed = failed or any(one.role == "ours" and one.name in played.failed for one in chosen)
                    if settings.out:
                        append_samples(settings.out, played)
                    print(f"  {case.name}: {time.monotonic() - began:.0f} s in all", file=sys.stderr)
    show_goals(judged)
    warn_if_busy(busy)
    return int(failed or missed(judged))


if __name__ == "__main__":
    sys.exit(main())
