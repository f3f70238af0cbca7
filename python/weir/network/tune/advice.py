"""Which algorithm won against the library's own choice, in rounds measured in turns, and what it costs at
other sizes. Only what has surely won is advised."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from weir.analyse.paired import ALIKE
from weir.analyse.simultaneous import FEWEST_ROUNDS, RatioEstimate, ratios_together
from weir.network.guidelines.judge import by_round
from weir.network.rows import function_of, message_bytes
from weir.network.tune.algorithms import Algorithm
from weir.network.tune.trial import Subject
from weir.results.row import Row


@dataclass(frozen=True)
class Trial:
    """How many times as fast a size is with an algorithm as with the library's own choice."""

    algorithm: Algorithm
    size: int
    violating: bool
    own_us: float
    other_us: float
    estimate: RatioEstimate

    @property
    def wins(self) -> bool:
        """Surely faster, and by enough to matter."""
        return self.estimate.low > 1 and self.estimate.ratio >= ALIKE

    @property
    def loses(self) -> bool:
        """Surely slower."""
        return self.estimate.high < 1


@dataclass(frozen=True)
class Advice:
    """What came out for a subject: the winner, or none. `trials` are of all algorithms, empty where too few
    rounds were measured."""

    subject: Subject
    winner: Algorithm | None
    trials: tuple[Trial, ...]

    def of(self, algorithm: Algorithm, *, violating: bool) -> list[Trial]:
        """The trials of an algorithm at the sizes of the violations, or at the others, by size."""
        mine = [one for one in self.trials if one.algorithm == algorithm and one.violating == violating]
        return sorted(mine, key=lambda one: one.size)

    @property
    def nearest(self) -> Trial | None:
        """The trial at a violating size that came nearest to winning."""
        mine = [one for one in self.trials if one.violating]
        return max(mine, key=lambda one: one.estimate.low, default=None)


def advise(subjects: Sequence[Subject], rows: Sequence[Row]) -> list[Advice]:
    """The advice for each subject from the rows of its trial. All intervals hold together with 95 %."""
    pairs = [(subject, *pair) for subject in subjects for pair in _pairs(subject, rows)]
    estimates = ratios_together([ratios for *_, ratios in pairs])
    trials: dict[int, list[Trial]] = {}
    for (subject, algorithm, own, other, _), estimate in zip(pairs, estimates, strict=True):
        size = message_bytes(own)
        trials.setdefault(id(subject), []).append(
            Trial(algorithm, size, size in subject.sizes, own.median or 0, other.median or 0, estimate)
        )
    found = [(subject, tuple(trials.get(id(subject), ()))) for subject in subjects]
    return [Advice(subject, _winner(subject, mine), mine) for subject, mine in found]


def _winner(subject: Subject, trials: Iterable[Trial]) -> Algorithm | None:
    """The one that wins at most of the violating sizes, and by most, and loses at none of them."""
    at = {
        one: [trial for trial in trials if trial.algorithm == one and trial.violating]
        for one in subject.algorithms
    }
    able = [one for one, mine in at.items() if any(t.wins for t in mine) and not any(t.loses for t in mine)]
    return max(able, key=lambda one: _gain(at[one]), default=None)


def _gain(trials: list[Trial]) -> tuple[int, float]:
    return sum(one.wins for one in trials), math.prod(one.estimate.ratio for one in trials)


def _pairs(subject: Subject, rows: Sequence[Row]) -> list[tuple[Algorithm, Row, Row, list[float]]]:
    """Each algorithm at each size against the library's choice, with the ratios of their rounds."""
    mine: dict[tuple[Any, int], Row] = {
        (frozenset(row.env.items()), message_bytes(row)): row
        for row in rows
        if function_of(row) == subject.function
        and row.ranks == subject.row.ranks
        and row.median is not None
        and all(row.options.get(key) == value for key, value in subject.row.options.items() if key != "bytes")
    }
    own, *others = (frozenset(env.items()) for env in subject.environments)
    found = []
    for algorithm, env in zip(subject.algorithms, others, strict=True):
        for size in sorted((*subject.sizes, *subject.others)):
            if (own, size) in mine and (env, size) in mine:
                pair = mine[own, size], mine[env, size]
                ratios = _ratios(*pair)
                if len(ratios) >= FEWEST_ROUNDS:
                    found.append((algorithm, *pair, ratios))
    return found


def _ratios(own: Row, other: Row) -> list[float]:
    slow, fast = by_round(own), by_round(other)
    return [slow[number] / fast[number] for number in sorted(slow.keys() & fast.keys())]
