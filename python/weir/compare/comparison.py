"""Sides compared with a reference, row by row, and the verdict of the whole."""

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from weir.analyse.between_runs import ASSUMED
from weir.analyse.change_points import change_points
from weir.analyse.paired import ALIKE
from weir.compare.matching import Matched, Pair, match
from weir.compare.sides import Side, distinct_names, in_turns
from weir.compare.standings import Standing, Verdict, standings, verdict_of_all


@dataclass(frozen=True)
class Rules:
    """`matters`: the factor from which on a difference is one; `assumed`: the standard deviation from run to
    run where no side has several."""

    matters: float = ALIKE
    assumed: float = ASSUMED


@dataclass(frozen=True)
class Compared:
    """A side against the reference."""

    reference: Side
    side: Side
    names: tuple[str, str]
    """Of the reference and of the side."""
    matched: Matched
    standings: tuple[Standing, ...]
    turns: bool
    single_runs: bool
    """Whether what runs differ by could not be seen."""

    @property
    def counts(self) -> Counter[Verdict]:
        """How many rows have each verdict."""
        return Counter(one.verdict for one in self.standings)

    @property
    def verdict(self) -> Verdict:
        """Of all its rows."""
        return verdict_of_all([one.verdict for one in self.standings])

    @property
    def is_open(self) -> bool:
        """Whether any row may be worse than is known, or is not there any more."""
        judged = self.counts.keys() - {Verdict.OTHER}
        return not judged or Verdict.OPEN in judged or bool(self.matched.only_other)


@dataclass(frozen=True)
class Comparison:
    """All sides against the first."""

    compared: tuple[Compared, ...]
    rules: Rules

    @property
    def verdict(self) -> Verdict:
        """The worst of all sides."""
        order = (Verdict.WORSE, Verdict.OPEN, Verdict.OTHER, Verdict.BETTER, Verdict.SAME)
        return min((one.verdict for one in self.compared), key=order.index)


def compare(sides: Sequence[Side], rules: Rules, history: Sequence[Side] = ()) -> Comparison:
    """Every side against the first; `history`: runs before that, which tell what runs differ by. Pure."""
    names = distinct_names(sides)
    others = zip(sides[1:], names[1:], strict=True)
    count = len(sides) - 1
    found = tuple(
        _compared((sides[0], side), (names[0], name), rules, history, count) for side, name in others
    )
    return Comparison(found, rules)


def _compared(
    sides: tuple[Side, Side], names: tuple[str, str], rules: Rules, history: Sequence[Side], count: int
) -> Compared:
    """`count`: of sides that are compared."""
    reference, side = sides
    turns = in_turns(side, reference)
    matched = match(side, reference, history, turns=turns)
    pairs = [since_last_change(pair) if pair.history else pair for pair in matched.pairs]
    found = standings(pairs, assumed=rules.assumed, matters=rules.matters, sides=count)
    runs = len(reference.runs) + len(side.runs) + len(history)
    return Compared(reference, side, names, matched, tuple(found), turns, single_runs=runs == 2)


def since_last_change(pair: Pair) -> Pair:
    """The pair without the runs before the last change of level: that is no difference from run to run."""
    medians = [statistics.median(samples) for samples in (*pair.history, *pair.others)]
    found = change_points(medians, CHANCE) if min(medians) > 0 else ()
    at = max((one.at for one in found), default=0)
    return replace(pair, history=pair.history[min(at, len(pair.history)) :])


CHANCE = 0.01
"""Of a change that is none."""
