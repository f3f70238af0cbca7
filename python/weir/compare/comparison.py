"""Sides compared with a reference, row by row, and the verdict of the whole."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from weir.analyse.between_runs import ASSUMED
from weir.analyse.paired import ALIKE
from weir.compare.matching import Matched, match
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
    found = tuple(_compared((sides[0], side), (names[0], name), rules, history) for side, name in others)
    return Comparison(found, rules)


def _compared(
    sides: tuple[Side, Side], names: tuple[str, str], rules: Rules, history: Sequence[Side]
) -> Compared:
    reference, side = sides
    matched, turns = match(side, reference, history), in_turns(side, reference)
    found = standings(matched.pairs, assumed=rules.assumed, matters=rules.matters, turns=turns)
    runs = len(reference.runs) + len(side.runs) + len(history)
    return Compared(reference, side, names, matched, tuple(found), turns, single_runs=runs == 2)
