#!/usr/bin/env python3
"""The two-phase library on four nodes of two ranks, and a file system that they reach by the network,
beside every collective that people use: a cube of doubles in blocks, and variables in irregular pieces.

The nodes are those of tests/system/virtual-cluster.sh, which is brought up and taken down. They share the
cores of this machine: what compares are ratios, of rounds in which all take turns. Goals: 1.5 times as fast
as the best public contender, and never below 0.95. Exit code 1 if one was missed.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from peers.array.cases import Case, Place
from peers.array.contenders import startable
from peers.array.goals import NEVER_BELOW, Judged, best_public, missed, storage_alone, times_faster
from peers.array.rounds import OPERATIONS, Played, Rules, play
from peers.array.server import serving
from peers.array.show import append_samples, show_case, show_contenders, show_goals
from peers.busy import busy_cores, warn_if_busy
from peers.compare import judge
from peers.launch import scratch
from peers.settings import wanted

from weir.launch.base import find_launcher

HERE = Path(__file__).resolve().parent
CLUSTER = HERE.parent / "system" / "virtual-cluster.sh"
NODES, RANKS = 4, 8
GOAL = 1.5
CANNOT_RUN = 77
SHARED = Path("/shared")
PARTS = ("cube", "lists")
OF_ONE_NODE = "bound"
"""The role that needs all ranks on one node."""
AS_ROOT = ("OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")


def parse() -> argparse.Namespace:
    """The options; those that only other benchmarks of arrays have say nothing here."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=256, help="elements along each side of the cube")
    parser.add_argument("--quick", action="store_true", help="a cube of 128")
    parser.add_argument("--repetitions", type=int, default=7, help="an interval needs 6 at least")
    parser.add_argument("--only", default="", help=f"only {' or '.join(PARTS)}")
    parser.add_argument("--shared", default="moosefs", choices=("bind", "moosefs"), help="the file system")
    parser.add_argument("--contenders", default="", help="only these, with commas between them")
    parser.add_argument(
        "--out", type=Path, help="append every sample of the cube to this file, in the checkout"
    )
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    settings = parser.parse_known_args()[0]
    settings.size = 128 if settings.quick else settings.size
    settings.parts = [part for part in PARTS if wanted(part, settings.only)]
    return settings


def end_once(*_: object) -> None:
    """The nodes are taken down as after Ctrl-C, and a second signal does not interrupt that."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(143)


def on_a_cluster(settings: argparse.Namespace) -> int:
    """Bring the nodes up, measure on the first of them, and take them down; returns the exit code."""
    signal.signal(signal.SIGTERM, end_once)
    with tempfile.TemporaryDirectory(prefix="weir-nodes-") as folder:
        environment = {**os.environ, "CLUSTER": f"{folder}/state"}
        up = [CLUSTER, "up", str(NODES), "--shared", settings.shared]
        began = subprocess.run(up, env=environment, cwd="/", check=False).returncode
        if began != 0:
            return 0 if began == CANNOT_RUN else began
        inside = ["env", *AS_ROOT, sys.executable, __file__, "--inside", *sys.argv[1:]]
        try:
            done = subprocess.run([CLUSTER, "on", "n1", *inside], env=environment, check=False).returncode
        finally:
            subprocess.run([CLUSTER, "down"], env=environment, cwd="/", check=False)
    return done


def measure_cube(settings: argparse.Namespace) -> list[Judged]:
    """Every contender in turn, on ranks of all nodes."""
    launcher = find_launcher("mpirun")
    launcher.prepare()
    contenders, left_out = startable(launcher)
    usual = [one.name for one in contenders if one.role not in ("variant", "boosted", OF_ONE_NODE)]
    names = settings.contenders.split(",") if settings.contenders else usual
    chosen = [one for one in contenders if one.name not in left_out and one.name in names]
    show_contenders(chosen, left_out)
    with scratch(SHARED) as directory:
        case = Case(settings.size, RANKS, "2x2x2", Place(f"{NODES} nodes", directory, cached=False))
        with serving(case, chosen, launcher) as servers:
            # To the same files again: MooseFS frees the memory of files that are gone only minutes later, and
            # a full file system is no error of the contender that finds it.
            played = play(case, chosen, servers, Rules(settings.repetitions, directory, overwrite=True))
    show_case(played)
    if settings.out:
        append_samples(settings.out, played)
    return list(goals_of(played))


def goals_of(played: Played) -> Iterator[Judged]:
    """Each goal, with what came of it. Pure."""
    for ours in played.with_role("ours"):
        for operation in OPERATIONS:
            best = best_public(played, operation)
            ratio = times_faster(played, ours.name, best, operation) if best else None
            for goal in (NEVER_BELOW, GOAL) if ratio is not None else ():
                assert ratio is not None
                name = f"{goal:g} times the best public ({best})"
                alone = storage_alone(played, best, operation)
                yield Judged(played.case.name, operation, name, ratio, judge(ratio, goal), alone)


def measure_lists(settings: argparse.Namespace) -> int:
    """The atmosphere's variables, by their own script; returns its exit code."""
    words = ["--on-storage", "--directory", str(SHARED), "--ranks", str(RANKS), "--only", "dump f-case"]
    repetitions = ["--repetitions", str(settings.repetitions), *(["--quick"] if settings.quick else [])]
    return subprocess.run(
        [sys.executable, HERE / "array_lists.py", *words, *repetitions], check=False
    ).returncode


def main() -> int:
    """Measure; returns the exit code."""
    settings = parse()
    if not settings.inside:
        return on_a_cluster(settings) if settings.parts else 0
    busy = busy_cores()
    judged = measure_cube(settings) if "cube" in settings.parts else []
    failed = measure_lists(settings) if "lists" in settings.parts else 0
    show_goals(judged)
    warn_if_busy(busy)
    return int(failed != 0 or missed(judged))


if __name__ == "__main__":
    sys.exit(main())
