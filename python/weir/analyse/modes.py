"""Whether samples lie around one value or around several, and how that goes over time.

A median that no sample is near says nothing. Samples are cut where they leave a gap that is wider than what
lies on either side of it is spread, on a scale of ratios. On samples of one mode (uniform, normal,
exponential, triangular, Laplace, Cauchy, of logarithms), the rule finds a second one in less than 5 % of
cases from six samples on: tests/python/analyse/test_modes.py draws them.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, pairwise

FEWEST = 3
"""Samples of a mode: fewer may have been disturbed."""
MOST = 4
"""Modes; more are noise."""
LEAST_FACTOR = 1.25
"""Between neighbouring modes; what is nearer is one to whoever reads it."""
GAP_OF_FEW, GAP = 3.0, 1.5
"""How many times as wide as the parts beside it a gap is: of six samples, and of many."""
DOUBT = 0.05
"""A step and a drift are told where they would be chance so seldom."""
LEAST_DRIFT = 1.1
"""From the first third of the samples to the last."""


class Course(StrEnum):
    """How samples go over time."""

    STEADY = "steady"
    ALTERNATING = "alternating"
    STEP = "step"
    DRIFTING = "drifting"


@dataclass(frozen=True)
class Mode:
    """Samples that lie together, in the unit of the samples."""

    median: float
    low: float
    high: float
    count: int


@dataclass(frozen=True)
class Modes:
    """The modes from low to high, but for a step, where they stand in the order of time; and the course of
    the samples. `step_at` is the number of the first sample behind the first step."""

    modes: tuple[Mode, ...]
    course: Course = Course.STEADY
    step_at: int | None = None


def find_modes(samples: Sequence[float]) -> Modes:
    """The modes of samples in the order of time, which must be finite."""
    ordered = sorted(samples)
    parts = _parts(ordered) if ordered and ordered[0] > 0 else [ordered] * bool(ordered)
    modes = tuple(Mode(statistics.median(part), part[0], part[-1], len(part)) for part in parts)
    if len(modes) < 2:
        return Modes(modes, Course.DRIFTING if drifts(samples) else Course.STEADY)
    of_mode = [next(at for at, mode in enumerate(modes) if value <= mode.high) for value in samples]
    runs = [len(list(run)) for _, run in groupby(of_mode)]
    if len(runs) > len(modes):
        return Modes(modes, Course.ALTERNATING)
    orders = math.factorial(len(samples)) / math.prod(math.factorial(mode.count) for mode in modes)
    if math.factorial(len(modes)) / orders < DOUBT:
        return Modes(tuple(modes[at] for at in dict.fromkeys(of_mode)), Course.STEP, runs[0])
    return Modes(modes)


def _parts(ordered: Sequence[float]) -> list[Sequence[float]]:
    """The sorted values cut at as many gaps as are all wide enough."""
    inner = range(FEWEST, len(ordered) - FEWEST + 1)
    by_width = sorted(inner, key=lambda at: ordered[at] / ordered[at - 1], reverse=True)
    one = max(inner, key=_gaps(ordered).__getitem__, default=None)
    for count in range(min(MOST - 1, len(by_width)), 0, -1):
        cuts = sorted(by_width[:count]) if count > 1 else [one or FEWEST]
        parts = [ordered[low:high] for low, high in pairwise([0, *cuts, len(ordered)])]
        if _stand_apart(parts, count * max(GAP, GAP_OF_FEW * 2 * FEWEST / len(ordered))):
            return parts
    return [ordered]


def _stand_apart(parts: Sequence[Sequence[float]], wide_enough: float) -> bool:
    pairs = pairwise(parts)
    return min(map(len, parts)) >= FEWEST and all(
        right[0] >= LEAST_FACTOR * left[-1] and _gap(left, right) >= wide_enough for left, right in pairs
    )


def _gap(left: Sequence[float], right: Sequence[float]) -> float:
    """How many times as wide as the wider of its sides the gap between them is, in ratios. A side's width is
    twice the mean distance from the gap, so that a sample far out adds little."""
    below, above = left[-1], right[0]
    mean_below = statistics.fmean(math.log(below / value) for value in left)
    mean_above = statistics.fmean(math.log(value / above) for value in right)
    width = 2 * max(mean_below, mean_above)
    return math.log(above / below) / width if width else math.inf


def _gaps(ordered: Sequence[float]) -> list[float]:
    """_gap() of the values before each place and those from it on, up to rounding; in one go."""
    logs = [math.log(value) for value in ordered]
    count, before, whole = len(logs), 0.0, math.fsum(logs)
    found = [0.0]
    for at in range(1, count):
        before += logs[at - 1]
        below, above = logs[at - 1] - before / at, (whole - before) / (count - at) - logs[at]
        width = 2 * max(below, above)
        found.append((logs[at] - logs[at - 1]) / width if width > 0 else math.inf)
    return found


def drifts(samples: Sequence[float]) -> bool:
    """Whether samples surely rise or fall, by the test of Mann (Econometrica 13, 1945), and by so much that
    somebody minds."""
    count = len(samples)
    if count < 2 * FEWEST:
        return False
    signs = sum(
        (later > sooner) - (later < sooner)
        for at, sooner in enumerate(samples)
        for later in samples[at + 1 :]
    )
    spread = math.sqrt(count * (count - 1) * (2 * count + 5) / 18)
    chance = math.erfc((abs(signs) - 1) / spread / math.sqrt(2))
    first, last = (statistics.median(part) for part in (samples[: count // 3], samples[-(count // 3) :]))
    return chance < DOUBT / 5 and min(first, last) > 0 and max(first, last) > LEAST_DRIFT * min(first, last)
