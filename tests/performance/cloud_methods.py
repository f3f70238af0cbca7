#!/usr/bin/env python3
"""The gas cloud's dumps by its three methods: two-phase I/O, everything through rank 0, and each rank its own
pieces.

The small case of Thakur, Gropp and Lusk (1996) without its computing: a restart is read and four dumps are
written. Bandwidth is bytes by the slowest rank's time in dumps, or in the restart, with opening, moving
between ranks and the restart's sync inside. There is no goal: exit code 1 if a method failed.
"""

import argparse
import sys

from peers.busy import warn_if_busy
from peers.cloud import CloudCase, append_samples, show_taken, take_turns
from peers.launch import Ranks
from peers.places import places
from peers.settings import parser_of_places, wanted
from peers.weir_core import WeirCore

FEWEST_ROUNDS = 7


def parse() -> argparse.Namespace:
    """The options."""
    parser = parser_of_places(__doc__ or "")
    parser.add_argument("--cells", default="128x128x64", help="along x, y and z")
    parser.add_argument("--ranks", type=int, default=8, help="the cells along z are a multiple of them")
    parser.add_argument("--dumps", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=11, help=f"at least {FEWEST_ROUNDS}")
    parser.add_argument("--quick", action="store_true", help="64x64x32 cells, one dump, as few rounds")
    parser.add_argument("--only", default="", help="only this place: disk or /dev/shm")
    settings = parser.parse_args()
    if settings.quick:
        settings.cells, settings.dumps, settings.rounds = "64x64x32", 1, FEWEST_ROUNDS
    if settings.rounds < FEWEST_ROUNDS:
        parser.error(f"--rounds {settings.rounds}: an interval that means something needs {FEWEST_ROUNDS}")
    return settings


def main() -> int:
    """Compare; returns the exit code."""
    settings = parse()
    core = WeirCore(Ranks(settings.ranks))
    failed = False
    with places(settings.directory) as storages:
        for place in (one for one in storages if wanted(one.name, settings.only)):
            directory = place.directory / "dumps"
            directory.mkdir()
            case = CloudCase(settings.cells, settings.dumps, directory)
            core.warm_memory(directory)
            taken = take_turns(
                lambda method, case=case: core.run("cloud", case.options(method)), settings.rounds
            )
            show_taken(f"{case.cells} cells on {settings.ranks} ranks, {place.name}", taken)
            failed = failed or bool(taken.failed)
            if settings.out:
                append_samples(settings.out, case, settings.ranks, taken)
    warn_if_busy(core.busy_cores)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
