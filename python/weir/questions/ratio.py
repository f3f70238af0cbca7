"""A rule for claims: how many times as fast one strategy, or point of a curve, is as another."""

from collections.abc import Callable, Mapping
from typing import Any

from weir.questions.claim import (
    BoundedRule,
    Decision,
    Selector,
    Verdict,
    combined,
    decision,
    rule,
    select,
    told_of_caches,
)
from weir.results.pairing import Ratio, compare, compare_all, samples_words, setting_key, unshared_options
from weir.results.row import IN_CACHES, Row
from weir.results.waiting import WAITING, is_waiting
from weir.results.words import join_words, label_by
from weir.study.schema import METRIC
from weir.units import count_words, significant

MOST_NAMED = 4


@rule("ratio")
class RatioRule(BoundedRule, frozen=True, kw_only=True):
    """`one` over `other`, for every pair of rows that are equal but for what either names: at least, at most,
    or within that factor of each other. Exactly one of the three bounds is given."""

    one: dict[str, Any]
    other: dict[str, Any]

    def words(self) -> str:
        """The bound, and what is done with the interval."""
        one, other = _difference(self.one, self.other), _difference(self.other, self.one)
        key = str(self.one.get(METRIC) or "")
        by = f" in {key}" if key and key == self.other.get(METRIC) else ""
        if _is_time(key):
            return self.say(f"how many times as fast {one} is as {other}{by}")
        return self.say(f"{one} over {other}{by}")

    def decide(self, rows: list[Row], card: Mapping[str, Any]) -> Decision:
        """All pairs inside the bounds: it holds; one of them outside: it does not.

        That all hold is wrong only if the one that does not was taken for one that does: each may be wrong in
        5 %. That any of them does not is wrong if any was: there they share the 5 %.
        """
        pairs = find_pairs(rows, self.one, self.other)
        each, shared = [r for pair in pairs if (r := compare(*pair))], compare_all(pairs)
        if not each:
            return Decision(Verdict.CANNOT_BE_TOLD, _why_no_pair(rows, self.one, self.other))
        if any(is_waiting(ratio.one) or is_waiting(ratio.other) for ratio in each):
            return Decision(Verdict.CANNOT_BE_TOLD, f"because {WAITING}")
        doubtful = [r for ratio in each for r in (ratio.one, ratio.other) if _may_be_cached(r)]
        if doubtful:
            return Decision(Verdict.CANNOT_BE_TOLD, _why_doubtful(doubtful))
        cached = [ratio for ratio in each if ratio.one.in_caches and ratio.other.in_caches]
        if cached:
            numbers = _numbers(cached, len(each), _name_by([ratio.one for ratio in each]))
            return told_of_caches(numbers, [row for ratio in cached for row in (ratio.one, ratio.other)])
        if all(self.judge(ratio.low, ratio.high) is Verdict.HOLDS for ratio in each):
            verdicts, ratios = [Verdict.HOLDS] * len(each), each
        else:
            verdicts, ratios = [self.judge(ratio.low, ratio.high) for ratio in shared], shared
        whole = (
            combined(verdicts)
            if ratios is each or Verdict.DOES_NOT_HOLD in verdicts
            else Verdict.CANNOT_BE_TOLD
        )
        deciding = [
            ratio for ratio, verdict in zip(ratios, verdicts, strict=True) if verdict is whole
        ] or ratios
        numbers = _numbers(deciding, len(ratios), _name_by([ratio.one for ratio in ratios]))
        has_interval = all(ratio.low is not None for ratio in deciding)
        cases = [row.case for ratio in deciding for row in (ratio.one, ratio.other)]
        return decision(whole, numbers, samples="samples", has_interval=has_interval, open_cases=cases)


def _is_time(key: str) -> bool:
    """Is a metric of this key a time, of which less is better?"""
    return key.endswith(("_s", "_us")) and not key.endswith("_per_s")


def _difference(one: Selector, other: Selector) -> str:
    """What a selector asks that the other does not: "layout shared"."""
    differing = [f"{key} {value}" for key, value in one.items() if other.get(key) != value]
    return f"({', '.join(differing)})"


def find_pairs(rows: list[Row], one: Selector, other: Selector) -> list[tuple[Row, Row]]:
    """Pairs of all rows that `one` and `other` choose and that are equal in everything else they share."""
    ones, others = select(rows, one), select(rows, other)
    both = [*ones, *others]
    ignoring = {*one, *other, *unshared_options(both)}
    by_key = {setting_key(row, ignoring): row for row in others}
    pairs = [(row, by_key[key]) for row in ones if (key := setting_key(row, ignoring)) in by_key]
    # Where only one size was measured it is the smallest and the largest: against itself it says nothing.
    return [(row, other) for row, other in pairs if row is not other]


def _may_be_cached(row: Row) -> bool:
    """Something was done to keep the cache out, and yet the number may be the cache's."""
    return not row.honest and not row.through_cache


def _why_doubtful(rows: list[Row]) -> str:
    known = "came from memory" if any(row.suspect for row in rows) else "may have come from memory"
    return f"because {len({row.case for row in rows})} of the cases {known}, not from the device"


def _why_no_pair(rows: list[Row], one: Selector, other: Selector) -> str:
    for selector in (one, other):
        if not select(rows, selector):
            asked = ", ".join(f"{key} {value}" for key, value in selector.items())
            return f"because nothing was measured with {asked}"
    return "because no two measured cases differ in that alone"


def _name_by(rows: list[Row]) -> Callable[[Row], str]:
    """Labels pairs by their phase, and by whatever else varies."""
    others, phases = label_by(rows, {"phase"}), {row.phase for row in rows}
    return lambda row: ", ".join(filter(None, [row.phase if len(phases) > 1 else "", others(row)]))


def _numbers(deciding: list[Ratio], pairs: int, label: Callable[[Row], str]) -> str:
    named = join_words(_ratio_words(ratio, label(ratio.one)) for ratio in deciding[:MOST_NAMED])
    more = f", and {len(deciding) - MOST_NAMED} more" if len(deciding) > MOST_NAMED else ""
    count = f" ({len(deciding)} of {count_words(pairs, 'pair')})" if len(deciding) < pairs else ""
    return f"{named}{more}{count}"


def _cache_words(ratio: Ratio) -> str:
    """ "the first in the caches", where only one of the two is; then that may be what is asked for."""
    cached = ratio.one.in_caches, ratio.other.in_caches
    which = "" if all(cached) else "the first " if cached[0] else "the second "
    return f", {which}{IN_CACHES}" if any(cached) else ""


def _ratio_words(ratio: Ratio, label: str) -> str:
    at = f"{label}: " if label else ""
    counts = f"({samples_words(ratio)}{_cache_words(ratio)})"
    if ratio.low is None or ratio.high is None:
        return f"{at}{significant(ratio.ratio)} times {counts}"
    bounds = f"[{significant(ratio.low)}, {significant(ratio.high)}]"
    return f"{at}{significant(ratio.ratio)} times {bounds} {counts}"
