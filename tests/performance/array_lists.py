#!/usr/bin/env python3
"""Arrays of irregular pieces: dumps of the variables of one mesh by the two-phase library, ROMIO and PnetCDF;
and what describing and planning long lists costs beside one plain exchange of lists and data."""

import argparse
import itertools
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from peers.array.contenders import PROGRAM
from peers.busy import busy_cores, warn_if_busy
from peers.launch import LaunchFailed, Ranks, scratch
from peers.places import MEMORY
from peers.settings import parser_of_places, wanted

from weir.launch.base import LaunchSpec, find_launcher

LONGEST_S = 900
LISTS = PROGRAM.parent / "array_lists"
FILES = ("map_f_case_16p.nc", "map_g_case_16p.nc")
"""Of https://github.com/Parallel-NetCDF/E3SM-IO, folder datasets: an atmosphere and an ocean."""


def parse() -> argparse.Namespace:
    """The options; those that only other benchmarks of arrays have say nothing here."""
    parser = parser_of_places(__doc__ or "")
    parser.add_argument("--ranks", default="4", help="rank counts, with commas between them")
    parser.add_argument("--repetitions", type=int, default=9, help="an interval needs 6 at least")
    parser.add_argument("--quick", action="store_true", help="10 variables instead of 50, short lists")
    parser.add_argument(
        "--only", default="", help='only cases with these words in their names: "dump f-case"'
    )
    parser.add_argument("--decompositions", type=Path, help=f"a folder with {' or '.join(FILES)} of E3SM-IO")
    parser.add_argument(
        "--on-storage",
        action="store_true",
        help="dump to the directory, not to memory, which nodes do not share",
    )
    settings = parser.parse_known_args()[0]
    settings.ranks = [int(count) for count in settings.ranks.split(",")]
    return settings


def lists_of(settings: argparse.Namespace) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The meshes of dumps, by name, with the options of the program."""
    yield "f-case", ("--levels", "72", "--columns", "866")
    for name in FILES if settings.decompositions else ():
        file = settings.decompositions / name
        if file.exists():
            yield name, ("--decomposition", str(file))
        else:
            print(f"left out: {file}: there is no such file")


def cases_of(settings: argparse.Namespace, directory: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every case, by name, with the options of the program."""
    variables = ("--arrays", "10" if settings.quick else "50")
    for mesh, options in lists_of(settings):
        yield f"dump {mesh}", (*options, *variables, "--directory", str(directory))
    yield "plan", ("--columns", "1587" if settings.quick else "15868", *variables)


def main() -> int:
    """Measure; returns the exit code."""
    settings = parse()
    launcher = find_launcher("mpirun")
    launcher.prepare()
    lacks = launcher.lacks(LaunchSpec(2, mpi_io="romio"))
    failed = False
    busy = 0.0
    # On a device, it is the device that would be measured.
    in_memory = os.access(MEMORY, os.W_OK) and not settings.on_storage
    with scratch(MEMORY if in_memory else settings.directory) as directory:
        for ranks, (name, options) in itertools.product(settings.ranks, cases_of(settings, directory)):
            if not wanted(f"{name} {ranks} ranks", settings.only):
                continue
            dumps = name.startswith("dump")
            if dumps and lacks is not None:
                print(f"left out: {name}: {lacks}")
                continue
            busy = max(busy, busy_cores())
            print(f"\n{name}:", flush=True)
            try:
                run = Ranks(ranks, mpi_io="romio" if dumps else None, longest_s=LONGEST_S)
                print(run.run(LISTS, *options, "--repetitions", str(settings.repetitions)), end="")
            except LaunchFailed as failure:
                print(f"Weir: {name} on {ranks} ranks failed: {failure}", file=sys.stderr)
                failed = True
    warn_if_busy(busy)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
