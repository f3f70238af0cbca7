"""Rows that differ in one thing, and how many times as fast one is as the other."""

import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from weir.analyse.paired import (
    NEAR,
    Standing,
    Turn,
    most_apart,
    quotient_interval,
    ratio_of_neighbours,
    standing_of,
)
from weir.analyse.statistics import CONFIDENCE, fewest_samples
from weir.results.row import Row, directions, measured
from weir.study.placement import NODES, PER_NODE, SPREAD
from weir.units import count_words, significant

Choice = Callable[[Row], bool]


@dataclass(frozen=True)
class Ratio:
    """How many times as fast `one` is as `other`, with an interval [`low`, `high`], null where one has none.

    `pairs`: from so many pairs of samples that were neighbours in time. Where their rounds are not known it
    is 0; the interval then divides opposite ends of the two rows' intervals, and holds with at least 90 %
    confidence, since the chances of either being wrong add up at most (Bonferroni's inequality).
    """

    one: Row
    other: Row
    ratio: float
    low: float | None
    high: float | None
    pairs: int = 0
    fewest: int = 0
    """Pairs that an interval takes; 0 where there are none."""

    @property
    def standing(self) -> Standing:
        """Whether `one` is surely faster (above), slower, as fast as the other, or none of these."""
        return standing_of(self.low, self.high)

    @property
    def near(self) -> bool:
        """Whether it is open which is faster, but surely not by much."""
        apart = most_apart(self.low, self.high)
        return self.standing is Standing.OPEN and apart is not None and apart <= NEAR

    @property
    def differs(self) -> bool:
        """Whether one is surely faster, by more than nobody minds."""
        return self.standing in (Standing.ABOVE, Standing.BELOW)


def compare(one: Row, other: Row, confidence: float = CONFIDENCE) -> Ratio | None:
    """The ratio of two rows; null where one has no number or 0, or they are of two metrics. Of sizes it is
    how many times as large `one` is."""
    plain = one.metric.greater_is_better or one.metric.is_size
    top, bottom = (one, other) if plain else (other, one)
    if one.metric != other.metric or not top.median or not bottom.median:
        return None
    estimate = ratio_of_neighbours(by_turn(top), by_turn(bottom), confidence)
    if estimate is None:
        return Ratio(one, other, top.median / bottom.median, *quotient_interval(top, bottom))
    if not estimate.median:
        return None
    return Ratio(
        *(one, other, estimate.median, estimate.low, estimate.high, estimate.count),
        fewest=fewest_samples(confidence),
    )


def by_turn(row: Row) -> dict[Turn, float]:
    """A row's samples by their turns; empty where the rounds are not known."""
    found: dict[Turn, float] = {}
    turns: Counter[int] = Counter()
    for record, value in zip(row.records, row.samples, strict=False):
        if record.round is None:
            return {}
        found[record.round, turns[record.round]] = value
        turns[record.round] += 1
    return found


def setting_key(row: Row, ignoring: Collection[str]) -> str:
    """A key that is equal for rows that differ in nothing but what is named in `ignoring`:
    options, `phase`, `ranks`, `mpi_io`, `env`, `node`, and what its placement names."""
    options = {key: value for key, value in row.options.items() if key not in ignoring}
    fields = {"phase": row.phase, "ranks": row.ranks, "mpi_io": row.mpi_io, "env": dict(row.env)}
    fields |= {"node": row.node} if row.node else {}
    fields |= _placement(row.placement, ignoring)
    fields = {key: value for key, value in fields.items() if key not in ignoring}
    return json.dumps([row.benchmark, fields, options], sort_keys=True, default=str)


def _placement(placement: Mapping[str, Any], ignoring: Collection[str]) -> Mapping[str, Any]:
    """Without what follows from the ranks, where these are ignored."""
    if "ranks" not in ignoring or not placement.get(SPREAD):
        return placement
    return {key: value for key, value in placement.items() if key not in (NODES, PER_NODE, SPREAD)}


def unshared_options(rows: list[Row]) -> set[str]:
    """Options that not all rows have: they belong to one strategy, and distinguish no others."""
    every = [set(row.options) for row in rows]
    return set().union(*every).difference(every[0].intersection(*every)) if every else set()


def compare_all(pairs: Collection[tuple[Row, Row]]) -> list[Ratio]:
    """The ratios of all pairs of one question, whose intervals hold together with 95 %: each has its share of
    the 5 %."""
    confidence = 1 - (1 - CONFIDENCE) / max(len(pairs), 1)
    return [ratio for one, other in pairs if (ratio := compare(one, other, confidence))]


def pairs(rows: list[Row], ignoring: Collection[str], is_one: Choice, is_other: Choice) -> list[Ratio]:
    """Ratios of all pairs of rows that are equal but for `ignoring`: writes first, then by transfer size.
    Each direction is a question of its own."""
    others = {setting_key(row, ignoring): row for row in measured(rows) if is_other(row)}
    found = [
        (row, others[setting_key(row, ignoring)])
        for row in measured(rows)
        if is_one(row) and setting_key(row, ignoring) in others
    ]
    return [
        ratio
        for name in directions(rows)
        for ratio in sorted(
            compare_all([pair for pair in found if pair[0].direction == name]),
            key=lambda ratio: _transfer(ratio.one),
        )
    ]


def _transfer(row: Row) -> int:
    return int(row.options.get("transfer") or 0)


def ratio_words(ratio: Ratio) -> str:
    """ "0.60 times [0.58, 0.62] (n = 12 pairs)", and what that means where it means no difference; of times,
    which of two is the faster: "0.60 times as fast [0.58, 0.62] (n = 12 pairs)"."""
    meaning = f", {apart_words([ratio])}" if ratio.near else MEANING.get(ratio.standing, "")
    return times_with_interval(ratio) + (meaning if ratio.low is not None else "")


def standing_words(ratio: Ratio) -> str:
    """What its interval means where it shows no difference, "equal within 10 %", or what it takes where there
    is none; else empty."""
    if ratio.low is None:
        return f"an interval takes {ratio.fewest} here" if ratio.pairs and ratio.fewest else ""
    if ratio.differs:
        return ""
    if ratio.standing is Standing.ALIKE:
        return "equal within 10 %"
    return apart_words([ratio]) if ratio.near else "open which is faster"


def times_with_interval(ratio: Ratio) -> str:
    """The same without what it means."""
    counts = samples_words(ratio)
    metric = ratio.one.metric
    as_fast = "" if metric.greater_is_better or metric.is_size else " as fast"
    times = f"{number_words(ratio.ratio)} times{as_fast}"
    if ratio.low is None and ratio.pairs and ratio.fewest:
        return f"{times} (no interval, which takes {count_words(ratio.fewest, 'pair')} here, {counts})"
    if ratio.low is None:
        return f"{times} (no interval, too few samples to tell them apart, {counts})"
    return f"{times} [{number_words(ratio.low)}, {number_words(ratio.high)}] ({counts})"


def samples_words(ratio: Ratio) -> str:
    """ "n = 12 pairs", or of both where their samples are no pairs: "n = 12, 9"."""
    return f"n = {count_words(ratio.pairs, 'pair')}" if ratio.pairs else f"n = {ratio.one.n}, {ratio.other.n}"


def apart_words(near: Collection[Ratio]) -> str:
    """ "at most 1.32 times apart", of the ratio that may be farthest from 1."""
    most = max(most_apart(ratio.low, ratio.high) or 1.0 for ratio in near)
    return f"at most {rounded_up(most)} times apart"


def rounded_up(bound: float | None) -> str:
    """What is at most so much, in two places: "1.37" of 1.361."""
    return f"{math.ceil(round((bound or 0.0) * 100, 6)) / 100:.2f}"


MEANING = {Standing.ALIKE: ", equal within 10 %", Standing.OPEN: ", which leaves open which is faster"}
"""What an interval means that shows no difference."""


def number_words(ratio: float | None) -> str:
    """Two places, but at least two and at most three significant digits: 0.0012, 0.98, 9.81, 36.5, 481."""
    known = ratio or 0.0
    if known >= 10:
        return significant(known)
    return f"{known:.2f}" if known >= 0.1 else significant(known, 2)
