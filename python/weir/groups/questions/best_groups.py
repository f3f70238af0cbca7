"""Which groups of ranks make a run quickest, or that it cannot be told."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from weir.analyse.paired import Standing
from weir.answers.answer import Answer, Certainty
from weir.answers.ratios import choice_of, factor
from weir.figures.figure import MORE_SAMPLES, Asked, State
from weir.groups.run_phases import PARTS, Phased, group_words
from weir.results.pairing import Ratio, compare, compare_all, number_words, ratio_words, times_with_interval
from weir.results.row import Row, median_of
from weir.results.waiting import WAITING
from weir.results.words import capital, estimate_words, join_words, label_by

Name = Callable[[Phased], str]
SAME = 0.05
"""Shares by which numbers differ that nobody compares."""


def names_of(cases: list[Phased], *ignoring: str) -> Name:
    """Names cases by their groups, and by what else varies."""
    others = label_by([case.row for case in cases], {"read_group", "write_group", "phase", *ignoring})
    return lambda case: ", ".join(filter(None, [group_words(case), others(case.row)]))


def by_setting(cases: list[Phased]) -> dict[str, list[Phased]]:
    """The cases that differ only in how ranks are grouped."""
    found: dict[str, list[Phased]] = {}
    for case in cases:
        found.setdefault(case.setting, []).append(case)
    return found


class BestGroups:
    """The case that gains most over the default among those of one setting, against the default and the
    others. The gains are those of the table `gains`; to choose one of several takes more, so that its lead
    over the others is judged by intervals that hold together."""

    def __init__(self, cases: list[Phased], default: Phased, place: str) -> None:
        self.cases, self.default, self.place = cases, default, place
        self.name = names_of(cases)
        self.gains = {
            case.row.case: ratio
            for case in cases
            if case is not default and (ratio := compare(case.judged, default.judged))
        }
        self.best = max(cases, key=self._times)
        others = [case for case in cases if case is not self.best]
        ratios = compare_all([(self.best.judged, case.judged) for case in others])
        self.ratios = {ratio.other.case: ratio for ratio in ratios}
        self.against = self.gains.get(self.best.row.case)

    def _times(self, case: Phased) -> float:
        """How many times as fast it is as the default."""
        ratio = self.gains.get(case.row.case)
        return ratio.ratio if ratio else float(case is self.default)

    @property
    def undecided(self) -> list[Phased]:
        """Cases that are not surely slower than the best."""
        return [
            case
            for case in self.cases
            if case is not self.best
            and ((ratio := self.ratios.get(case.row.case)) is None or not _is_above(ratio))
        ]

    @property
    def cannot_be_told(self) -> bool:
        """Is the best not surely better than the default?"""
        return self.best is not self.default and self.default in self.undecided

    def gain(self) -> float:
        """How many times as fast it is as the default; 1 where that is the best itself."""
        return self._times(self.best)

    def _at(self) -> str:
        return f", with {self.place}" if self.place else ""

    def title(self) -> str:
        """What is found in one line."""
        if self.cannot_be_told:
            return f"It cannot be told whether groups of ranks make the run quicker{self._at()}"
        what, be = ("initialisation and write", "are") if self.best.is_analytic else ("the run", "is")
        if self.best is self.default and self.undecided:
            return f"No groups of ranks surely make {what} quicker{self._at()}"
        if self.best is self.default:
            return capital(f"{what} {be} quickest without groups of ranks{self._at()}")
        times = f", {number_words(self.against.ratio)} times as fast as without" if self.against else ""
        return capital(f"{what} {be} quickest with {self._best_words()}{times}{self._at()}")

    def _best_words(self) -> str:
        """ "groups of 4 ranks", its name in full."""
        words = self.name(self.best)
        return f"{words} ranks" if words == group_words(self.best) and words[-1].isdigit() else words

    def sentence(self) -> str:
        """Which is best here and why, or that it cannot be told."""
        why = f" (not of the total: {WAITING})" if self.best.is_analytic else ""
        most = f"it gains most of {len(self.cases)} cases measured, in its {self.best.judged_name}{why}"
        if self.cannot_be_told:
            return (
                f"It cannot be told which groups are best here{self._at()}: {self._best_words()} may be, "
                f"because {most}{self._gained(ratio_words)}{self._too_little()}."
            )
        gained = self._gained(times_with_interval) + self._because()
        because = self._none_faster(why) if self.best is self.default else most + gained
        return f"Best here{self._at()}: {self._best_words()}, because {because}{self._rest()}."

    def _gained(self, words: Callable[[Ratio], str]) -> str:
        """The gain over the default, and the medians of both."""
        default = self.name(self.default)
        medians = f"median {number_of(self.best.judged)}, with {default} {number_of(self.default.judged)}"
        if self.against is None:
            return f"; {medians}"
        return f": against {default} {words(self.against)}; {medians}{self._by_pairs(self.against)}"

    def _by_pairs(self, gain: Ratio) -> str:
        """Why a gain is another than the medians beside it seem to say."""
        quotient = median_of(self.default.judged) / (median_of(self.best.judged) or math.inf)
        if gain.pairs and abs(quotient / gain.ratio - 1) > SAME:
            return " (a gain is the median of pairs of samples taken in turns, not the quotient of medians)"
        return self._overlapping() if _is_above(gain) else ""

    def _too_little(self) -> str:
        """Where the gain alone would be told."""
        told = self.against is not None and _is_above(self.against)
        return f", too little to choose among {len(self.cases)} cases" if told else ""

    def _none_faster(self, why: str) -> str:
        others = len(self.cases) - 1
        what = f"none of the {others} others gains" if others > 1 else "the only other case does not gain"
        said = f"{what} in its {self.best.judged_name}{why}"
        nearest = max(self.gains.values(), key=lambda gain: gain.ratio, default=None)
        if nearest is None:
            return said
        (case,) = [case for case in self.cases if case.row.case == nearest.one.case]
        return f"{said}: the nearest, {self.name(case)}, {times_with_interval(nearest)}"

    def _rest(self) -> str:
        """Those that may be as good."""
        rest = [case for case in self.undecided if case is not self.default]
        be = "is" if len(rest) == 1 else "are"
        return f"; not surely slower {be} {join_words(map(self.name, rest))}" if rest else ""

    def _overlapping(self) -> str:
        """Why it can be told all the same."""
        high, low = self.best.judged.high, self.default.judged.low
        if high is None or low is None or high < low:
            return ""
        return " (their intervals overlap, but pairs of samples taken in turns tell them apart)"

    def _because(self) -> str:
        """The parts, each against that of the default."""
        parts = [name for name in PARTS if not (self.best.is_analytic and name == "solve")]
        ratios = [(name, compare(self.best.parts[name], self.default.parts[name])) for name in parts]
        said = [f"{name} {times_with_interval(ratio)}" for name, ratio in ratios if ratio]
        return f"; {join_words(said)}" if said else ""

    def asked(self) -> Asked:
        """Whether the best is known."""
        of = "group sizes" + (f" with {self.place}" if self.place else "")
        rest = self.undecided
        if not rest:
            return Asked(of)
        cases = frozenset(case.row.case for case in (self.best, *rest))
        wanting = MORE_SAMPLES
        if self.cannot_be_told:
            return Asked(of, State.OPEN, wanting, cases)
        names = join_words(map(self.name, rest))
        return Asked(of, State.CAVEAT, f"{names} may be as good; {wanting}", cases)


def answer_of(best: BestGroups) -> Answer:
    """Which groups are best, and how much they gain over none."""
    rest, gain = best.undecided, best.against
    cases = frozenset(case.row.case for case in (best.best, *rest)) if rest else frozenset()
    what = Answer("", (best.place,) if best.place else (), open_cases=cases)
    if best.cannot_be_told or gain is None:
        action = "more-samples" if best.cannot_be_told else ""
        return replace(what, certainty=Certainty.OPEN, action=action)
    names = (best.name(best.best), best.name(best.default))
    return replace(
        what,
        value=choice_of(gain, *names, differs=_is_above(gain)),
        certainty=Certainty.WITHIN if rest else Certainty.SURE,
        action="choose",
        words={"best": names[0]},
        weight=math.log10(factor(gain)),
    )


def title_of(bests: Sequence[BestGroups]) -> str:
    """That of the setting in which groups gain most, of totals if there are any; or of the first where that
    is not known."""
    told = [best for best in bests if not best.cannot_be_told and best.against]
    whole = [best for best in told if not best.best.is_analytic]
    return max(whole or told, key=BestGroups.gain, default=bests[0]).title()


def _is_above(ratio: Ratio) -> bool:
    return ratio.standing is Standing.ABOVE


def number_of(row: Row) -> str:
    """ "12.3 [12.1, 12.6] s (n = 12)"."""
    words = estimate_words(row.metric, median_of(row), row.low, row.high, row.n)
    return f"{words} (n = {row.n})" if row.low is not None else words
