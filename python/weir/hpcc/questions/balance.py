"""A rule for claims: how much of something a system has for each operation of HPL."""

from collections.abc import Mapping, Sequence
from typing import Any

from weir.analyse.paired import Turn, ratio_of_neighbours
from weir.analyse.statistics import CONFIDENCE, MedianEstimate, estimate_median
from weir.hpcc.rates import HPL, SystemRate, hpcc_cases, quotients, ranks_of
from weir.questions.claim import BoundedRule, Decision, Verdict, combined, decision, rule, told_of_caches
from weir.results.pairing import setting_key
from weir.results.quantity_words import quotient_words
from weir.results.row import IN_CACHES, Row
from weir.results.words import join_words
from weir.units import count_words


@rule("balance")
class BalanceRule(BoundedRule, frozen=True, kw_only=True):
    """What all ranks do in `phase` for each operation of HPL, in the same launches, with `ranks`; with
    `over`, that number divided by the same with that many ranks, from launches of the same round. `metric`
    takes another number than the result."""

    phase: str
    ranks: int
    over: int | None = None
    metric: str | None = None

    def words(self) -> str:
        """The bound, and what is done with the interval."""
        by = f" ({self.metric})" if self.metric else ""
        number = f"{self.phase}{by} of all ranks for each operation of HPL"
        with_ranks = f"with {count_words(self.ranks, 'rank')}"
        if self.over is None:
            return self.say(f"{number}, {with_ranks},")
        other = f"that with {count_words(self.over, 'rank')} of the same round"
        return self.say(f"{number}, that {with_ranks} divided by {other},")

    def decide(self, rows: list[Row], card: Mapping[str, Any]) -> Decision:
        """All settings inside the bounds: it holds; one outside: it does not. Their intervals share the
        5 %. A test of memory whose data fitted the caches tells nothing."""
        wanted = [self.ranks] if self.over is None else [self.ranks, self.over]
        measured = [self._by_setting(rows, ranks) for ranks in wanted]
        for ranks, known in zip(wanted, measured, strict=True):
            if not known:
                with_ranks = count_words(ranks, "rank")
                why = f"because no launch with {with_ranks} measured {self.phase} and HPL"
                return Decision(Verdict.CANNOT_BE_TOLD, why)
        keys = [key for key in measured[0] if all(key in known for known in measured)]
        confidence = 1 - (1 - CONFIDENCE) / max(len(keys), 1)
        sides = [[known[key][1] for known in measured] for key in keys]
        found = [one for side in sides if (one := _estimate(side, confidence))]
        if not found:
            why = "no round measured both" if keys else "no two measured cases differ in the ranks alone"
            return Decision(Verdict.CANNOT_BE_TOLD, f"because {why}")
        unit = "times" if self.over is not None else _unit(next(iter(measured[0].values()))[0])
        if cached := [known[key][0] for known in measured for key in keys if known[key][0].in_caches]:
            return told_of_caches(join_words(quotient_words(one, unit, IN_CACHES) for one in found), cached)
        return decision(
            combined([self.judge(one.low, one.high) for one in found]),
            join_words(quotient_words(one, unit) for one in found),
            samples="launches",
            has_interval=all(one.low is not None for one in found),
            open_cases=[known[key][0].case for known in measured for key in keys],
        )

    def _by_setting(self, rows: list[Row], ranks: int) -> dict[str, tuple[Row, dict[Turn, float]]]:
        """The row and the balance of each case with so many ranks, by what else it is."""
        rate = SystemRate(self.phase, self.metric)
        cases = [case for case in hpcc_cases(rows) if ranks_of(case) == ranks]
        known = [(rate.row(case), quotients(rate, HPL, case)) for case in cases]
        return {setting_key(row, {"ranks"}): (row, found) for row, found in known if row and found}


def _estimate(sides: Sequence[dict[Turn, float]], confidence: float) -> MedianEstimate | None:
    """Of one side, or of the first over the second in rounds that have both."""
    first, *others = sides
    if not others:
        return estimate_median([*first.values()], confidence)
    return ratio_of_neighbours(first, others[0], confidence)


def _unit(row: Row) -> str:
    """ "B/flop" of what is counted in B/s; none of operations."""
    unit = row.metric.unit.removesuffix("/s")
    return "" if unit == "flop" else f"{unit}/flop"
