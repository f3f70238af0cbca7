"""Where a curve is highest: at which value of its axis, if it is sure that all others are lower."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from weir.questions.claim import Decision, Rule, Verdict, combined, rule, select
from weir.results.pairing import Ratio, compare_all, setting_key
from weir.results.quantity_words import measured_words
from weir.results.row import Row, measured, median_of
from weir.results.words import join_words, label_by, option_words, value_of

Place = Callable[[Row], float]


@dataclass(frozen=True)
class Peak:
    """The value with the best median, and each other one over it. The intervals of these ratios share the
    5 %, so that with 95 % none of those that lie below 1 does so by luck."""

    best: Row
    curve: tuple[Row, ...]
    ratios: tuple[Ratio, ...]

    @property
    def rivals(self) -> tuple[Row, ...]:
        """The others that are not surely lower."""
        lower = {ratio.one.case for ratio in self.ratios if _is_below_one(ratio)}
        return tuple(row for row in self.curve if row is not self.best and row.case not in lower)

    @property
    def is_sure(self) -> bool:
        """Whether all others are surely lower."""
        return not self.rivals

    @property
    def at_end(self) -> bool:
        """Whether it is the last value, beyond which the curve may rise further."""
        return self.best is self.curve[-1]

    @property
    def open_cases(self) -> frozenset[str]:
        """Those whose samples would make it sure."""
        return frozenset() if self.is_sure else frozenset(row.case for row in (self.best, *self.rivals))


def _is_below_one(ratio: Ratio) -> bool:
    return ratio.high is not None and ratio.high < 1


def find_peak(rows: Sequence[Row], x: Place) -> Peak | None:
    """The peak of one curve over `x`; null for fewer than two values."""
    curve = sorted({x(row): row for row in measured(rows)}.values(), key=x)
    if len(curve) < 2:
        return None
    best = max(curve, key=median_of)
    others = [row for row in curve if row is not best]
    return Peak(best, tuple(curve), tuple(compare_all([(row, best) for row in others])))


@rule("peak")
class PeakRule(Rule, frozen=True, kw_only=True):
    """Each curve that `where` chooses is highest at one of the values `at` of `along`, an option or
    `ranks`."""

    along: str
    at: list[int]
    where: dict[str, Any]

    def __post_init__(self) -> None:
        if not self.at:
            raise ValueError("it needs a value at which the curve is highest")

    def words(self) -> str:
        """What makes a peak, and what it takes to deny one."""
        return (
            f"holds where the bandwidth at {self._names(self.at)} is surely above that at every other value "
            "and a greater value was measured, does not hold where another value is surely above"
        )

    def decide(self, rows: list[Row], card: Mapping[str, Any]) -> Decision:
        """All curves are highest there: it holds; one is surely higher elsewhere: it does not."""
        curves: dict[str, list[Row]] = {}
        for row in select(rows, self.where):
            curves.setdefault(setting_key(row, {self.along}), []).append(row)
        peaks = [peak for curve in curves.values() if (peak := find_peak(curve, self._x))]
        if not peaks:
            return Decision(Verdict.CANNOT_BE_TOLD, "because it takes two points, and fewer were measured")
        found = [self._of_curve(peak) for peak in peaks]
        whole = combined([one.verdict for one in found])
        named = label_by([peak.best for peak in peaks], {self.along}) if len(peaks) > 1 else _no_name
        said = [
            (named(peak.best), one) for peak, one in zip(peaks, found, strict=True) if one.verdict is whole
        ]
        why = "; ".join(f"{name}: {one.why}" if name else one.why for name, one in said)
        cases = frozenset().union(*(one.open_cases for _, one in said))
        return Decision(whole, f"because {why}" if whole is Verdict.CANNOT_BE_TOLD else why, cases)

    def _of_curve(self, peak: Peak) -> Decision:
        """Of one curve; the reason without "because"."""
        known = {self._x(row): row for row in peak.curve}
        missing = [value for value in self.at if value not in known]
        inside = self._x(peak.best) in self.at
        if not inside and missing:
            why = f"nothing was measured with {self._names(missing)}; {self._here(peak)}"
            return Decision(Verdict.CANNOT_BE_TOLD, why, peak.open_cases)
        if not inside:
            left = [row for row in peak.rivals if self._x(row) in self.at]
            if not left:
                return Decision(Verdict.DOES_NOT_HOLD, self._here(peak))
            cases = frozenset(row.case for row in (peak.best, *left))
            return Decision(Verdict.CANNOT_BE_TOLD, self._here(peak), cases)
        left = [row for row in peak.rivals if self._x(row) not in self.at]
        if left:
            cases = frozenset(row.case for row in (peak.best, *left))
            return Decision(Verdict.CANNOT_BE_TOLD, self._here(peak), cases)
        if peak.at_end:
            return Decision(Verdict.CANNOT_BE_TOLD, f"it may be higher still beyond: {self._here(peak)}")
        return Decision(Verdict.HOLDS, self._here(peak))

    def _x(self, row: Row) -> float:
        return float(value_of(row, self.along))

    def _names(self, values: Sequence[int]) -> str:
        numbers = [str(value) for value in values]
        either = " or ".join([", ".join(numbers[:-1]), numbers[-1]] if len(numbers) > 1 else numbers)
        return (
            f"{either} rank{'' if values == [1] else 's'}"
            if self.along == "ranks"
            else f"{self.along} {either}"
        )

    def _here(self, peak: Peak) -> str:
        return peak_words(peak, lambda row: option_words(row, self.along))


def _no_name(row: Row) -> str:
    return ""


def peak_words(peak: Peak, place: Callable[[Row], str]) -> str:
    """ "the best is 900 [890, 910] MiB/s (n = 12) with 2 ranks, surely above all others" or which of them may
    be as high."""
    best = f"the best is {measured_words(peak.best)} with {place(peak.best)}"
    if peak.is_sure:
        return f"{best}, surely above all others{', and nothing greater was measured' if peak.at_end else ''}"
    return f"{best}, and {join_words(place(row) for row in peak.rivals)} may be as high"
