"""What is known of each pair: better, worse, the same, or open.

All intervals of a comparison hold together with 95 %: each of n pairs has its share of the 5 % (Bonferroni's
inequality), so that any false "worse" or "better" among them is as rare as one alone.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from weir.analyse.between_runs import (
    Apart,
    Runs,
    Variation,
    apart,
    apart_in_turns,
    least_sure,
    variations,
)
from weir.analyse.modes import Modes, find_modes
from weir.analyse.paired import ALIKE
from weir.analyse.statistics import CONFIDENCE
from weir.compare.matching import Pair
from weir.compare.mode_standings import shares_differ
from weir.results.row import Row


class Verdict(StrEnum):
    """Of a pair. `OTHER`: both are not the same measurement."""

    WORSE = "worse"
    BETTER = "better"
    SAME = "same"
    OPEN = "cannot be told"
    OTHER = "other parameters"


@dataclass(frozen=True)
class Standing:
    """A pair, how many times as fast, or as much, `one` is as `other`, null where either is 0; `verdict`: of
    `one`. `modes`: of the samples of `one` and of `other` where those of either lie around several values,
    and both are of one run."""

    pair: Pair
    apart: Apart | None
    verdict: Verdict
    modes: tuple[Modes, Modes] | None = None

    @property
    def row(self) -> Row:
        """That of `one`."""
        return self.pair.one

    @property
    def n(self) -> int:
        """The samples of the side that has fewer; where either has several runs, the runs."""
        both = self.pair.ones, self.pair.others
        return min(map(len, both)) if max(map(len, both)) > 1 else min(len(one) for (one,) in both)


def standings(
    pairs: Sequence[Pair], *, assumed: float, matters: float = ALIKE, sides: int = 1
) -> list[Standing]:
    """The standing of each pair, in their order. `assumed`: the standard deviation from run to run where it
    cannot be seen; `matters`: a difference of this factor; `sides`: so many are compared with the same
    reference, and share the 5 %."""
    told = [pair for pair in pairs if not pair.differs and _has_ratio(pair)]
    confidence = 1 - (1 - CONFIDENCE) / max(len(told) * sides, 1)
    several = [pair for pair in told if len(pair.ones) + len(pair.others) + len(pair.history) > 2]
    runs = [_differences(pair) if pair.turns else _sides(pair) for pair in several]
    spread = dict(zip(map(id, several), variations(runs, assumed), strict=True))
    found = []
    for pair in pairs:
        if not _has_ratio(pair):
            found.append(Standing(pair, None, Verdict.OTHER if pair.differs else Verdict.OPEN))
            continue
        variation = spread.get(id(pair), Variation(assumed))
        found.append(_standing(pair, variation, confidence, matters))
    return found


def _sides(pair: Pair) -> tuple[Runs, ...]:
    """Runs that repeat each other: those before stand with the reference."""
    return pair.ones, (*pair.others, *pair.history)


def _has_ratio(pair: Pair) -> bool:
    """Neither is a bound, all samples are positive, and no ratio of two of them is beyond what a number
    holds."""
    if pair.is_bound:
        return False
    values = [value for side in _sides(pair) for run in side for value in run]
    return min(values) > 0 and math.log(max(values)) - math.log(min(values)) < LARGEST


LARGEST = 600.0
"""Of a natural logarithm."""


def _differences(pair: Pair) -> tuple[Runs, ...]:
    """Of runs in turns: the ratio of the medians of each two."""
    each = zip(pair.ones, pair.others, strict=True)
    return ([[statistics.median(one) / statistics.median(other)] for one, other in each],)


def _standing(pair: Pair, variation: Variation, confidence: float, matters: float) -> Standing:
    greater = pair.one.metric.greater_is_better
    upright = greater or pair.one.metric.is_size
    top, bottom = (pair.ones, pair.others) if upright else (pair.others, pair.ones)
    found = (apart_in_turns if pair.turns else apart)(top, bottom, variation, confidence)
    if pair.simulated:
        found = Apart(found.ratio, found.ratio, found.ratio)
    if pair.differs:
        return Standing(pair, found, Verdict.OTHER)
    verdict = verdict_of(found, matters, more_is_better=greater or not upright)
    modes = _modes(pair)
    if modes:
        verdict = _verdict_of_modes(pair, modes, least_sure(variation, confidence), confidence)
    return Standing(pair, found, verdict, modes)


def _verdict_of_modes(pair: Pair, modes: tuple[Modes, Modes], least: float, confidence: float) -> Verdict:
    """By how many samples are in the faster half: an interval of medians rests on one value. What runs differ
    by must not reach from a mode to the cut between them."""
    more = shares_differ(pair, modes, confidence, least)
    if more is None:
        return Verdict.OPEN
    return Verdict.BETTER if more == pair.one.metric.greater_is_better else Verdict.WORSE


def verdict_of(found: Apart, matters: float, *, more_is_better: bool = True) -> Verdict:
    """By the interval: the same where it stays within the factor that matters."""
    if found.low is None or found.high is None:
        return Verdict.OPEN
    if found.low >= 1 / matters and found.high <= matters:
        return Verdict.SAME
    if found.low <= 1 <= found.high:
        return Verdict.OPEN
    return Verdict.BETTER if (found.low > 1) == more_is_better else Verdict.WORSE


def verdict_of_all(verdicts: Sequence[Verdict]) -> Verdict:
    """Worse where any row is, else better where any is; the same where all are that were judged."""
    found = {*verdicts}
    for one in (Verdict.WORSE, Verdict.BETTER):
        if one in found:
            return one
    judged = found - {Verdict.OTHER}
    if not judged:
        return Verdict.OTHER if found else Verdict.OPEN
    return Verdict.SAME if judged == {Verdict.SAME} else Verdict.OPEN


def _modes(pair: Pair) -> tuple[Modes, Modes] | None:
    if len(pair.ones) > 1 or len(pair.others) > 1:
        return None
    found = find_modes(pair.ones[0]), find_modes(pair.others[0])
    return found if max(len(one.modes) for one in found) > 1 else None
