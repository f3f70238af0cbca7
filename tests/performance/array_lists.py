#!/usr/bin/env python3
"""Arrays of irregular pieces: what describing and planning them costs, beside one plain exchange of all."""

import argparse
import sys

from peers.array.contenders import PROGRAM
from peers.busy import busy_cores, warn_if_busy
from peers.launch import LaunchFailed, Ranks

LISTS = PROGRAM.parent / "array_lists"


def parse() -> argparse.Namespace:
    """The options; those of other benchmarks of arrays say nothing here."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ranks", default="4", help="rank counts, with commas between them")
    parser.add_argument("--repetitions", type=int, default=9, help="an interval needs 6 at least")
    parser.add_argument("--quick", action="store_true", help="a tenth of the columns")
    return parser.parse_known_args()[0]


def main() -> int:
    """Measure; returns the exit code."""
    settings = parse()
    busy = busy_cores()
    columns = "1587" if settings.quick else "15868"
    for ranks in map(int, settings.ranks.split(",")):
        options = ("--columns", columns, "--repetitions", str(settings.repetitions))
        try:
            print(Ranks(ranks).run(LISTS, *options), end="")
        except LaunchFailed as failure:
            print(f"Weir: {ranks} ranks failed: {failure}", file=sys.stderr)
            return 1
    warn_if_busy(busy)
    return 0


if __name__ == "__main__":
    sys.exit(main())
