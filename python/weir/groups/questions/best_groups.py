"""Which groups of ranks make a run quickest, or that it cannot be told."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

from weir.analyse.paired import Standing
from weir.answers.answer import Answer, Certainty, Number
from weir.answers.ratios import choice_of, factor, ratio_of
from weir.groups.run_phases import PARTS, Phased, group_words
from weir.results.pairing import Ratio, compare, compare_all, standing_words
from weir.results.words import label_by

Name = Callable[[Phased], str]
OPEN_WEIGHT, PART_WEIGHT = 0.02, 0.03
"""On a first screen, where a way that is 10 times as fast weighs 1: of what is open, and of groups that make
only a part of a run quicker."""


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

    @property
    def rival(self) -> Phased | None:
        """With what the best is compared: the default, or what comes nearest to the default where that is the
        best itself; null where nothing can be compared."""
        rivals = [case for case in self.cases if case.row.case in self.gains]
        return self.default if self.best is not self.default else max(rivals, key=self._times, default=None)

    def answer(self) -> Answer:
        """Which groups are best, and how much they gain over none."""
        rest, rival = self.undecided, self.rival
        subject = filter(None, [self.best.judged_name if self.best.is_analytic else "", self.place])
        cases = frozenset(case.row.case for case in (self.best, *rest)) if rest else frozenset()
        what = Answer("", tuple(subject), open_cases=cases)
        if self.cannot_be_told or rival is None:
            return replace(what, certainty=Certainty.OPEN, action="more-samples", weight=OPEN_WEIGHT)
        gain = self.gains[(rival if self.best is self.default else self.best).row.case]
        best = self.name(self.best)
        return replace(
            what,
            value=choice_of(gain, best, self.name(rival), differs=rival not in rest),
            certainty=Certainty.WITHIN if rest else Certainty.SURE,
            action="choose",
            words={"best": best},
            weight=PART_WEIGHT if self.best.is_analytic else math.log10(factor(gain)),
        )

    def numbers(self) -> Iterator[Number]:
        """The gains over the default in what is judged; those of the best in each part; and its lead over
        others that may be as good."""
        default, best = self.name(self.default), self.name(self.best)
        for case in self.cases:
            if gain := self.gains.get(case.row.case):
                yield Number(
                    (self.name(case), default, case.judged_name), ratio_of(gain), standing_words(gain)
                )
        parts = [name for name in PARTS if not (self.best.is_analytic and name == "solve")]
        for part in parts if self.best is not self.default else ():
            if ratio := compare(self.best.parts[part], self.default.parts[part]):
                yield Number((best, default, part), ratio_of(ratio), standing_words(ratio))
        for case in self.undecided:
            if case is not self.default and (lead := self.ratios.get(case.row.case)):
                yield Number((best, self.name(case), case.judged_name), ratio_of(lead), standing_words(lead))


def _is_above(ratio: Ratio) -> bool:
    return ratio.standing is Standing.ABOVE
