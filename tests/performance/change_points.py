#!/usr/bin/env python3
"""Change points of Weir beside those of Apache Otava (https://otava.apache.org), where that is installed.

Made-up series with known changes under normal, heavy-tailed and bimodal noise: how many of the changes each
finds, misses, and how many it finds where there is none. Real ones of a folder (--series): what each finds.
Otava is taken from this Python, or from the one that runs the program `otava` on PATH.
"""

import argparse
import json
import math
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from weir.analyse.change_points import change_points
from weir.compare.read_history import read_history, runs_of
from weir.errors import WeirError
from weir.store.runs_here import runs_here

Series = list[float]
Finder = Callable[[Sequence[Series]], list[list[int]]]
"""The places of the changes in each of several series."""
NOISE = 0.03
NEAR = 2
"""A change counts as found so many values beside its place."""
OTHER_MODE, MODE_SHARE = 0.25, 0.3


@dataclass(frozen=True)
class Shape:
    """A kind of series: its levels without noise, and where they change. `counts`: whether anything else that
    is found is false; of a drift it is not."""

    name: str
    levels: tuple[float, ...]
    changes: tuple[int, ...] = ()
    counts: bool = True


def steps(name: str, *parts: tuple[int, float]) -> Shape:
    levels = tuple(level for count, level in parts for _ in range(count))
    places = [sum(count for count, _ in parts[:at]) for at in range(1, len(parts))]
    return Shape(name, levels, tuple(places))


SHAPES = (
    steps("none, 100", (100, 1.0)),
    steps("step of 10 %, 50 + 50", (50, 1.0), (50, 0.9)),
    steps("step of 5 %, 50 + 50", (50, 1.0), (50, 0.95)),
    steps("two steps of 10 %, 40 + 20 + 40", (40, 1.0), (20, 0.9), (40, 1.0)),
    steps("late step of 20 %, 60 + 5", (60, 1.0), (5, 0.8)),
    Shape("spike of 40 %, 100", (1.0,) * 60 + (0.6,) + (1.0,) * 39),
    Shape("drift of 20 %, 100", tuple(1 - 0.2 * at / 99 for at in range(100)), counts=False),
)


def normal(draw: random.Random) -> float:
    return draw.gauss(0, NOISE)


def heavy_tailed(draw: random.Random) -> float:
    """Student's t with three degrees of freedom."""
    return NOISE * draw.gauss(0, 1) / math.sqrt(max(draw.gammavariate(1.5, 1 / 1.5), 1e-3))


def bimodal(draw: random.Random) -> float:
    return draw.gauss(0, NOISE) + (OTHER_MODE if draw.random() < MODE_SHARE else 0)


NOISES = {"normal": normal, "heavy-tailed": heavy_tailed, "bimodal": bimodal}


def made(shape: Shape, noise: Callable[[random.Random], float], trials: int) -> list[Series]:
    draw = random.Random(f"{shape.name} {noise.__name__}")
    return [[level * math.exp(noise(draw)) for level in shape.levels] for _ in range(trials)]


@dataclass(frozen=True)
class Counts:
    """Changes found, missed, and found where there is none."""

    found: int
    missed: int
    false: int


def counted(shape: Shape, of_each: Sequence[Sequence[int]]) -> Counts:
    """Of what was found in each series of the shape. In a drift, every series with a change is one found."""
    if not shape.counts:
        told = sum(bool(places) for places in of_each)
        return Counts(told, len(of_each) - told, 0)
    hit = sum(any(abs(at - place) <= NEAR for at in places) for places in of_each for place in shape.changes)
    false = sum(all(abs(at - place) > NEAR for place in shape.changes) for places in of_each for at in places)
    return Counts(hit, len(of_each) * len(shape.changes) - hit, false)


def ours(series: Sequence[Series]) -> list[list[int]]:
    return [[one.at for one in change_points(values)] for values in series]


_ASK_OTAVA = """
import json, sys
from otava.analysis import compute_change_points
chance, series = json.load(sys.stdin)
found = [compute_change_points(one, max_pvalue=chance)[0] for one in series]
json.dump([[int(one.index) for one in changes] for changes in found], sys.stdout)
"""
STRICT, USUAL = 0.001, 0.05
"""Otava's own limit of a chance, and ours."""


def otava_python() -> str | None:
    """The Python that has Otava; null where there is none."""
    program = shutil.which("otava")
    first = Path(program).read_bytes().split(b"\n", 1)[0].decode(errors="replace") if program else ""
    for python in (sys.executable, first.removeprefix("#!").strip()):
        if python and _has_otava(python):
            return python
    return None


def _has_otava(python: str) -> bool:
    try:
        done = subprocess.run([python, "-I", "-c", "import otava.analysis"], capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


def otava(python: str, chance: float) -> Finder:
    """What Otava finds that chance would give less often."""

    def find(series: Sequence[Series]) -> list[list[int]]:
        asked = json.dumps([chance, series])
        command = [python, "-I", "-c", _ASK_OTAVA]
        done = subprocess.run(command, input=asked, stdout=subprocess.PIPE, text=True, check=True)
        found: list[list[int]] = json.loads(done.stdout)
        return found

    return find


def made_up_rows(finders: dict[str, Finder], trials: int) -> Iterator[list[str]]:
    for noise, draws in NOISES.items():
        for shape in SHAPES:
            series = made(shape, draws, trials)
            counts = [counted(shape, find(series)) for find in finders.values()]
            known = str(trials * len(shape.changes)) if shape.counts else "-"
            yield [noise, shape.name, known, *(f"{c.found} / {c.missed} / {c.false}" for c in counts)]


_NUMBER = re.compile(r"^(?:.*,)? *(\d+\.?\d*(?:[eE][+-]?\d+)?) *$", re.MULTILINE)


def real_series(folder: Path) -> Iterator[tuple[str, Series]]:
    """Those of a folder: the last column of each .csv file, and each row of the runs of each study."""
    for path in sorted(folder.glob("*.csv")):
        values = list(map(float, _NUMBER.findall(path.read_text())))
        if values:
            yield path.name, values
    for study in sorted({run.study for run in runs_here(folder)}):
        try:
            history = read_history(study, runs_of(study, folder)[0])
        except WeirError:
            continue
        for course in (*history.headline, *history.others):
            yield f"{study}: {course.series.label}", list(course.series.values)


def print_rows(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for row in (headings, *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=25, help="series of each kind")
    parser.add_argument("--series", type=Path, help="a folder of runs, or of .csv files with a number a line")
    asked, _ = parser.parse_known_args()
    python = otava_python()
    finders: dict[str, Finder] = {"weir": ours}
    if python:
        finders |= {f"otava p {chance}": otava(python, chance) for chance in (STRICT, USUAL)}
    else:
        print("Otava is not installed (PyPI: apache-otava): only Weir's own change points are counted.")
    print(f"Found / missed / false changes in {asked.trials} series of each kind, noise of {NOISE:.0%}:")
    print_rows(["noise", "series", "changes", *finders], list(made_up_rows(finders, asked.trials)))
    real = list(real_series(asked.series)) if asked.series else []
    if real:
        names, series = zip(*real, strict=True)
        found = [find(series) for find in finders.values()]
        print("Real series, of which nobody knows the changes; numbers are those of the values that change:")
        rows = [
            [name, str(len(values)), *(" ".join(map(str, one)) or "-" for one in places)]
            for name, values, *places in zip(names, series, *found, strict=True)
        ]
        print_rows(["series", "values", *finders], rows)


if __name__ == "__main__":
    main()
