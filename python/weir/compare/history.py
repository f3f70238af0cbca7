"""Many runs of one study as series: a level for each stretch of runs between two changes, and whether the
last level is worse than the one before, or than that of the baseline."""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from weir.analyse.between_runs import Apart
from weir.analyse.change_points import change_points, fewest_values
from weir.analyse.paired import ALIKE
from weir.analyse.shift import shift_of
from weir.analyse.statistics import CONFIDENCE
from weir.analyse.student import outside
from weir.compare.levels import RunLevels, row_key
from weir.compare.standings import Verdict, verdict_of
from weir.results.row import Row

FEWEST_BEFORE = 6
"""Runs before the last ones, that tell what is usual."""
FEWEST_OF_LEVEL = 3
LAST = 5
"""So many runs at the end may be of a new level that no rank test can be sure of yet."""
DOUBT = 0.01
"""The last runs perhaps have changed where chance would do that so seldom."""


@dataclass(frozen=True)
class Series:
    """A row over the runs that have it: when each was made, and its median there."""

    label: str
    row: Row
    """That of the last run that has it."""
    made: tuple[str, ...]
    values: tuple[float, ...]
    baseline: int | None = None
    """The number of the run that is marked."""


@dataclass(frozen=True)
class Level:
    """The runs from number `begin` to before `end`, and their median."""

    begin: int
    end: int
    median: float


@dataclass(frozen=True)
class Perhaps:
    """The last runs, from number `at` on, may have another level: `times` as good as before."""

    at: int
    times: float


@dataclass(frozen=True)
class Course:
    """What a series went through. `reference`: the level that the last one is compared with, null where there
    is one level alone; `verdict`: of the last level; `perhaps`: what a few more runs would settle."""

    series: Series
    levels: tuple[Level, ...]
    reference: Level | None
    apart: Apart | None
    verdict: Verdict
    perhaps: Perhaps | None = None
    fewest: int = 0
    """Runs of a series that can be called steady."""

    @property
    def since(self) -> str:
        """When the last level began, UTC; empty where there was no other."""
        return self.series.made[self.levels[-1].begin] if len(self.levels) > 1 else ""


def series_in(runs: Sequence[RunLevels], rows: Mapping[str, Row]) -> list[Series]:
    """The series of these rows of the last run, by their labels; the runs are in the order of time."""
    found = []
    for label, row in rows.items():
        key = row_key(row)
        having = [run for run in runs if key in run.medians]
        marked = [number for number, run in enumerate(having) if run.is_baseline]
        if having:
            made, values = tuple(run.made for run in having), tuple(run.medians[key] for run in having)
            found.append(Series(label, row, made, values, marked[-1] if marked else None))
    return found


def courses(found: Sequence[Series], matters: float = ALIKE) -> list[Course]:
    """What each went through; a false change in any of them is as rare as 5 %."""
    return [course(one, 0.05 / len(found), matters) for one in found]


def course(series: Series, error: float, matters: float) -> Course:
    """That of one, whose changes are found by chance as seldom as `error` says."""
    values = series.values
    if min(values) <= 0:
        return Course(series, (Level(0, len(values), statistics.median(values)),), None, None, Verdict.OPEN)
    changes = [one.at for one in change_points(values, error)]
    levels = _levels(values, changes, matters)
    perhaps = _perhaps(series, levels[-1], error, matters)
    if len(levels) > 1 and series.baseline is not None and series.baseline >= levels[-1].begin:
        return Course(series, levels, None, None, Verdict.SAME, perhaps)
    if len(levels) == 1:
        fewest = fewest_values(error)
        verdict = Verdict.OPEN if len(values) < fewest else Verdict.SAME
        return Course(series, levels, None, None, verdict, perhaps, fewest)
    reference = _reference(series, levels)
    apart = _apart(series, levels[-1], reference)
    return Course(series, levels, reference, apart, verdict_of(apart, matters), perhaps)


def _levels(values: Sequence[float], changes: Sequence[int], matters: float) -> tuple[Level, ...]:
    """Those between the changes; neighbours that differ by less than matters are one."""
    places = [0, *changes, len(values)]
    found: list[Level] = []
    for begin, end in pairwise(places):
        level = Level(begin, end, statistics.median(values[begin:end]))
        if found and 1 / matters < level.median / found[-1].median < matters:
            joined = found.pop().begin
            level = Level(joined, end, statistics.median(values[joined:end]))
        found.append(level)
    return tuple(found)


def _reference(series: Series, levels: Sequence[Level]) -> Level:
    """That of the baseline; without one, the one before the last."""
    marked = series.baseline
    own = [level for level in levels[:-1] if marked is not None and level.begin <= marked < level.end]
    return own[0] if own else levels[-2]


def _of(series: Series, level: Level) -> list[float]:
    """Logarithms, of which more is better."""
    sign = 1 if series.row.metric.greater_is_better else -1
    return [sign * math.log(value) for value in series.values[level.begin : level.end]]


def _apart(series: Series, level: Level, reference: Level) -> Apart:
    # That there is a change is known from the whole series: here it is asked how large it is.
    shift = shift_of(_of(series, level), _of(series, reference), CONFIDENCE, FEWEST_OF_LEVEL)
    known = math.isfinite(shift.below)
    ends = (shift.middle - shift.below, shift.middle + shift.above) if known else (math.nan, math.nan)
    low, high = (math.exp(end) if known else None for end in ends)
    return Apart(math.exp(shift.middle), low, high)


def _perhaps(series: Series, level: Level, error: float, matters: float) -> Perhaps | None:
    """The last runs of its level that lie off the others by what a normal spread hardly explains."""
    logs = _of(series, level)
    found: list[tuple[float, Perhaps]] = []
    for count in range(1, LAST + 1):
        before, last = logs[:-count], logs[-count:]
        if len(before) < FEWEST_BEFORE:
            break
        times = math.exp(statistics.fmean(last) - statistics.fmean(before))
        if 1 / matters < times < matters:
            continue
        spread = statistics.stdev(before) * math.sqrt(1 / len(last) + 1 / len(before))
        reach = abs(math.log(times)) / spread if spread else math.inf
        chance = LAST * outside(reach, len(before) - 1) if math.isfinite(reach) else 0.0
        found.append((chance, Perhaps(level.end - count, times)))
    best = min(found, key=lambda one: one[0], default=None)
    return best[1] if best and best[0] < min(DOUBT, error) else None


def without_last(series: Sequence[Series], run_made: str) -> list[Series]:
    """The series as they were before the run that was made then."""
    return [
        replace(one, made=one.made[:-1], values=one.values[:-1]) if one.made[-1] == run_made else one
        for one in series
        if len(one.made) > 1 or one.made[-1] != run_made
    ]
