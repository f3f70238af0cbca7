"""Which guidelines the rows of a run violate, surely: round by round, with intervals that hold together."""

import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from weir.analyse.simultaneous import FEWEST_ROUNDS, RatioEstimate, ratios_together
from weir.network.guidelines.guideline import Guideline, Size, all_guidelines
from weir.network.rows import BENCHMARK, TIME, function_of, message_bytes
from weir.results.pairing import setting_key
from weir.results.row import Row, measured

MARGIN = 1.1
"""A ratio that may be below is no violation: it matters to nobody."""
EFFORT = frozenset({"calls", "precision", "budget", "check", "repetitions"})
"""Options that say how long is measured, not what."""
ROOTED = frozenset({"Bcast", "Reduce", "Gather", "Gatherv", "Scatter", "Scatterv"})
"""Where ranks may return before others came: in a loop that nothing holds together, calls overlap, and their
time is that of the slowest step, not of a call."""
TOGETHER = ("barrier", "window")
MONOTONY = "more data"


@dataclass(frozen=True)
class Judgement:
    """How one measured case stands to others: its time over the sum of theirs, round by round."""

    rule: Guideline | None
    """None: the same function, given more data, may not be faster."""
    one: Row
    parts: tuple[Row, ...]
    estimate: RatioEstimate

    @property
    def violated(self) -> bool:
        """Whether the one surely takes longer, by more than MARGIN."""
        return self.estimate.low > MARGIN

    @property
    def by(self) -> str:
        """What it is compared with."""
        return self.rule.by if self.rule else MONOTONY

    @property
    def name(self) -> str:
        """The guideline."""
        return self.rule.words() if self.rule else MONOTONY

    @property
    def has_message(self) -> bool:
        """Whether the function has data at all."""
        return not self.rule or self.rule.one.size is not Size.NONE

    @property
    def size(self) -> int:
        """The message of the one, in bytes."""
        return message_bytes(self.one)

    @property
    def times_us(self) -> tuple[float, float]:
        """Of the one, and of the others together: sums of medians."""
        return (self.one.median or 0.0, sum(row.median or 0.0 for row in self.parts))


@dataclass(frozen=True)
class Judged:
    """All that could be judged, and what could not."""

    judgements: tuple[Judgement, ...]
    open_cases: frozenset[str] = frozenset()
    """Those of comparisons with too few rounds."""
    overlapping: int = 0
    """Comparisons whose calls do not start together."""


@dataclass(frozen=True)
class Violation:
    """Neighbouring sizes at which a function violates the same guideline."""

    judgements: tuple[Judgement, ...]

    @property
    def worst(self) -> Judgement:
        """The size at which it loses most."""
        return max(self.judgements, key=lambda one: one.estimate.ratio)

    @property
    def function(self) -> str:
        """The function that is too slow."""
        return function_of(self.worst.one)


@dataclass(frozen=True)
class _Pair:
    rule: Guideline | None
    one: Row
    parts: tuple[Row, ...]


def ranks_of(row: Row) -> int:
    """Ranks of the communicator: those of a group, of the ranks that take part, or all."""
    return int(row.options.get("group") or row.options.get("active") or row.ranks)


def judge_rows(rows: Iterable[Row]) -> Judged:
    """Every guideline at every size for which the rows suffice. The chance that any violation is named that
    is none is at most 5 % over all of them."""
    pairs = list(_pairs(rows))
    in_step = [(pair, _ratios(pair)) for pair in pairs if not _overlaps(pair)]
    ratios = [(pair, of_rounds) for pair, of_rounds in in_step if len(of_rounds) >= FEWEST_ROUNDS]
    few = [pair for pair, of_rounds in in_step if len(of_rounds) < FEWEST_ROUNDS]
    estimates = ratios_together([of_rounds for _, of_rounds in ratios])
    judgements = tuple(
        Judgement(pair.rule, pair.one, pair.parts, estimate)
        for (pair, _), estimate in zip(ratios, estimates, strict=True)
    )
    open_cases = frozenset(row.case for pair in few for row in (pair.one, *pair.parts))
    return Judged(judgements, open_cases, len(pairs) - len(in_step))


def violations_of(judgements: Sequence[Judgement]) -> list[Violation]:
    """The violations, neighbouring sizes joined, the worst first."""
    series: dict[tuple[str, str, str], list[Judgement]] = defaultdict(list)
    for one in judgements:
        series[one.name, function_of(one.one), setting_of(one.one)].append(one)
    found = []
    for members in series.values():
        run: list[Judgement] = []
        for one in sorted(members, key=lambda one: one.size):
            if one.violated:
                run.append(one)
            elif run:
                found.append(Violation(tuple(run)))
                run = []
        found += [Violation(tuple(run))] if run else []
    return sorted(found, key=lambda one: -one.worst.estimate.ratio)


def setting_of(row: Row) -> str:
    """A key that is equal for rows that differ in nothing but function and size."""
    return setting_key(row, {"function", "bytes"} | EFFORT)


def _pairs(rows: Iterable[Row]) -> Iterator[_Pair]:
    """Every row with each others that it can be held against."""
    groups: dict[str, dict[str, dict[int, Row]]] = defaultdict(lambda: defaultdict(dict))
    for row in measured(rows):
        if row.benchmark == BENCHMARK and row.metric.key == TIME:
            groups[setting_of(row)][function_of(row)][message_bytes(row)] = row
    guidelines = all_guidelines()
    for functions in groups.values():
        for sizes in functions.values():
            ordered = [sizes[size] for size in sorted(sizes)]
            yield from (_Pair(None, one, (more,)) for one, more in pairwise(ordered))
        for rule in guidelines:
            for one in functions.get(rule.one.function, {}).values():
                parts = _parts(rule, one, functions)
                if parts and all(map(_equal_counts, (one, *parts))):
                    yield _Pair(rule, one, parts)


def _parts(rule: Guideline, one: Row, functions: dict[str, dict[int, Row]]) -> tuple[Row, ...]:
    """The rows of the parts; nothing where one of them was not measured."""
    ranks, imb = ranks_of(one), str(one.options.get("imb"))
    vector = rule.one.vector(message_bytes(one), ranks, imb)
    found = []
    for part in rule.parts:
        size = part.message(vector, ranks, imb)
        row = functions.get(part.function, {}).get(-1 if size is None else size)
        if row is None:
            return ()
        found.append(row)
    return tuple(found)


def _equal_counts(row: Row) -> bool:
    return not function_of(row).endswith("v") or row.options.get("counts", "equal") == "equal"


def _overlaps(pair: _Pair) -> bool:
    """Whether a time in a composition may be less than that of a call by itself."""
    rows = (pair.one, *pair.parts) if pair.rule else ()
    return any(function_of(row) in ROOTED and _start(row) not in TOGETHER for row in rows)


def _start(row: Row) -> Any:
    return row.records[-1].details.get("start") if row.records else None


def _ratios(pair: _Pair) -> list[float]:
    """Time over time, of each round in which all were measured."""
    ones, parts = by_round(pair.one), [by_round(row) for row in pair.parts]
    common = set(ones).intersection(*parts)
    sums = {number: sum(part[number] for part in parts) for number in common}
    return [ones[number] / sums[number] for number in sorted(common) if ones[number] > 0 < sums[number]]


def by_round(row: Row) -> dict[int, float]:
    """The median of its samples of each round: those of one launch have what befell it in common."""
    found: dict[int, list[float]] = defaultdict(list)
    for record, value in zip(row.records, row.samples, strict=False):
        if record.round is not None:
            found[record.round].append(value)
    return {number: statistics.median(values) for number, values in found.items()}
