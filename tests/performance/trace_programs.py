#!/usr/bin/env python3
"""How much longer programs take that mostly ask for files and names: find, git status and tar over a tree of
20,000 files in memory; programs that only start, and a shell that starts others; and two ranks that send
messages of 8 bytes to and fro. Programs are compared by their processor time, which other users of the
machine disturb least.

Runs are interleaved: plain; recorded; and under Darshan, if it is found (see trace_overhead.py). `--quick`
makes fewer.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import trace_overhead
from trace_overhead import QUICK, RECORDER, SOURCES, differences, estimate_median, ways

FOLDERS, FILES = 200, 100
MESSAGES = 200_000
ROUNDS = 7 if QUICK else 21
GOALS = {"find": 1.3, "tar": 1.25, "tar to a file": 1.25, "git status": 1.25}
"""Times the plain program's, at most."""
GOAL_NS = 100
"""Added to a message, at most."""
COMMANDS = {
    "find": ["find", "tree", "-size", "+1M"],
    "tar": ["tar", "-cf", "/dev/null", "-C", "tree", "."],
    "tar to a file": ["tar", "-cf", "out.tar", "tree"],
    "git status": ["git", "-C", "tree", "status", "--short"],
    "true": ["/bin/true"],
    "python": [sys.executable, "-c", "pass"],
    "shell": ["sh", "-c", "for i in 0 1 2 3 4 5 6 7 8 9; do /bin/true; (:); x=$(echo $i); done"],
}


def make_tree(root: Path) -> None:
    """20,000 small files in 200 folders, known to git."""
    for folder in range(FOLDERS):
        place = root / f"folder-{folder:03}" / "inner"
        place.mkdir(parents=True)
        for file in range(FILES):
            (place / f"file-{file:03}.txt").write_bytes(b"x" * 100)
    git = ["git", "-C", str(root), "-c", "user.name=w", "-c", "user.email=w@localhost"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "--quiet", "-m", "tree"], check=True)


def seconds_of(command: list[str], work: Path, environment: dict[str, str]) -> float:
    """Processor time of a program with everything that belongs to its start and end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    given = {**os.environ, **environment}
    subprocess.run(command, cwd=work, env=given, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def ns_of_message(work: Path, environment: dict[str, str]) -> float:
    """Of one message, as the ranks measure it."""
    count = MESSAGES // 4 if QUICK else MESSAGES
    given = [word for name, value in environment.items() for word in ("-x", f"{name}={value}")]
    mpirun = ["mpirun", "--allow-run-as-root", "--bind-to", "core", "-n", "2", *given]
    command = [*mpirun, str(work / "messages"), str(count)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout)


def interleaved(work: Path, measure: Callable[[dict[str, str]], float]) -> dict[str, list[float]]:
    """Samples by the way of running; a first round only fills caches."""
    samples: dict[str, list[float]] = {}
    for number in range(ROUNDS + 1):
        for way, environment in ways(work):
            trace = work / "trace"
            shutil.rmtree(trace, ignore_errors=True)
            trace.mkdir()
            if way != "nothing":
                value = measure(environment)
                if number > 0:
                    samples.setdefault(way, []).append(value)
    return samples


def show(what: str, samples: list[float], unit: str, digits: int) -> float:
    """Print the median; returns it."""
    estimate = estimate_median(samples)
    assert estimate is not None
    low, high = f"{estimate.low:.{digits}f}", f"{estimate.high:.{digits}f}"
    print(f"  {what:28} {estimate.median:9.{digits}f} [{low}, {high}] {unit} (n = {estimate.count})")
    return estimate.median


def show_program(name: str, samples: dict[str, list[float]]) -> bool:
    """Print times and their ratios, pair by pair. Is the goal met?"""
    print(name)
    ratio = 0.0
    for way, times in samples.items():
        show(way, [one * 1e3 for one in times], "ms", 2)
        if way != "plain":
            ratios = [one / plain for one, plain in zip(times, samples["plain"], strict=True)]
            found = show(f"{way} / plain", ratios, "", 2)
            ratio = found if way == "weir" else ratio
    goal = GOALS.get(name)
    if goal is not None:
        print(f"  goal: at most {goal}: {'met' if ratio <= goal else 'MISSED'}")
    return goal is None or ratio <= goal


def show_messages(samples: dict[str, list[float]]) -> bool:
    """Print the times of a message and what is added. Is the goal met?"""
    print("message of 8 bytes")
    added = 0.0
    for way, times in samples.items():
        show(way, times, "ns", 1)
        if way != "plain":
            found = show(f"{way} adds to plain", differences(times, samples["plain"]), "ns", 1)
            added = found if way == "weir" else added
    print(f"  goal: at most {GOAL_NS} ns: {'met' if added <= GOAL_NS else 'MISSED'}")
    return added <= GOAL_NS


def main() -> int:
    """Measure, print, and say by the exit status whether the goals are met."""
    if not RECORDER.exists():
        sys.exit("The recorder is not built: scripts/build")
    if trace_overhead.darshan() is None:
        print("Darshan is not installed (DARSHAN_LIB names its library): left out")
    memory = Path("/dev/shm")
    met = []
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        work = Path(folder)
        make_tree(work / "tree")
        for name, command in COMMANDS.items():
            found = interleaved(work, lambda e, c=command: seconds_of(c, work, e))
            met.append(show_program(name, found))
        if shutil.which("mpicc"):
            subprocess.run(["mpicc", "-O2", "-o", work / "messages", SOURCES / "messages.c"], check=True)
            met.append(show_messages(interleaved(work, lambda e: ns_of_message(work, e))))
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
