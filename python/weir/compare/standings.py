"""What is known of each pair: better, worse, the same, or open.

All intervals of a comparison hold together with 95 %: each of n pairs has its share of the 5 % (Bonferroni's
inequality), so that any false "worse" or "better" among them is as rare as one alone.
"""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from weir.analyse.between_runs import Apart, Runs, Variation, apart, apart_in_turns, variations
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
        """The samples of the side that has fewer, or of so many runs one each."""
        return min(sum(map(len, side)) for side in (self.pair.ones, self.pair.others))


def standings(
    pairs: Sequence[Pair], *, assumed: float, matters: float = ALIKE, turns: bool = False
) -> list[Standing]:
    """The standing of each pair, in their order. `assumed`: the standard deviation from run to run where it
    cannot be seen; `matters`: a difference of this factor; `turns`: the runs of both sides were made in
    turns."""
    told = [pair for pair in pairs if not pair.differs and _positive(pair)]
    confidence = 1 - (1 - CONFIDENCE) / max(len(told), 1)
    several = [pair for pair in told if len(pair.ones) + len(pair.others) + len(pair.history) > 2]
    sides = [_differences(pair) if turns else _sides(pair) for pair in several]
    spread = dict(zip(map(id, several), variations(sides), strict=True))
    found = []
    for pair in pairs:
        if not _positive(pair):
            found.append(Standing(pair, None, Verdict.OTHER if pair.differs else Verdict.OPEN))
            continue
        variation = spread.get(id(pair), Variation(assumed))
        found.append(_standing(pair, variation, confidence, matters, turns=turns))
    return found


def _sides(pair: Pair) -> tuple[Runs, ...]:
    """Runs that repeat each other: those before stand with the reference."""
    return pair.ones, (*pair.others, *pair.history)


def _positive(pair: Pair) -> bool:
    return all(value > 0 for side in _sides(pair) for run in side for value in run)


def _differences(pair: Pair) -> tuple[Runs, ...]:
    """Of runs in turns: the ratio of the medians of each two."""
    each = zip(pair.ones, pair.others, strict=False)
    return ([[statistics.median(one) / statistics.median(other)] for one, other in each],)


def _standing(
    pair: Pair, variation: Variation, confidence: float, matters: float, *, turns: bool
) -> Standing:
    greater = pair.one.metric.greater_is_better
    upright = greater or pair.one.metric.is_size
    top, bottom = (pair.ones, pair.others) if upright else (pair.others, pair.ones)
    paired = turns and len(top) == len(bottom)
    found = (apart_in_turns if paired else apart)(top, bottom, variation, confidence)
    if pair.differs:
        return Standing(pair, found, Verdict.OTHER)
    modes = _modes(pair)
    verdict = verdict_of(found, matters, more_is_better=greater or not upright)
    more = shares_differ(pair, modes, confidence) if modes else None
    if more is not None:
        verdict = Verdict.BETTER if more == greater else Verdict.WORSE
    elif modes and verdict is Verdict.SAME:
        verdict = Verdict.OPEN
    return Standing(pair, found, verdict, modes)


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
