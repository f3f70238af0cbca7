"""Bandwidth against file size: what the page cache adds, and where it ends."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from weir.analyse.paired import Standing
from weir.answers.answer import Answer, Certainty, Number, Ratio, Threshold
from weir.answers.ratios import factor, ratio_of
from weir.figures.charts import Along, Marker, line_chart
from weir.figures.encoding import name_curves, size_axis
from weir.figures.figure import Card, Finding, Panel
from weir.questions.claim import Decision, Rule, Verdict, rule, select
from weir.questions.comparison import wanting
from weir.questions.question import figure
from weir.results import pairing
from weir.results.pairing import compare_all, standing_words
from weir.results.row import Row, measured, median_of
from weir.results.words import cache_words, phase_words
from weir.storage.cache_cliff import (
    cache_limit,
    cacheable_bytes,
    decline,
    dirty_limit_bytes,
    drop_words,
    find_drops,
    likely_cause,
    why_no_cliff,
)
from weir.units import format_bytes

OPPOSITE = {Verdict.HOLDS: Verdict.DOES_NOT_HOLD, Verdict.DOES_NOT_HOLD: Verdict.HOLDS}


def of_files(rows: list[Row]) -> list[Row]:
    """Those whose data are a file's size: an application writes many files, and says how much in all."""
    return [row for row in measured(rows) if row.data_bytes and not row.application]


def judge_size(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """How much numbers with and without the cache's help differ, and where the cache ends."""
    found = of_files(rows)
    if not found:
        return None
    numbers: list[Number] = []
    answers: list[Answer] = []
    for direction in ("write", "read"):
        through = [row for row in found if row.direction == direction and row.through_cache]
        device = [row for row in found if row.direction == direction and row.honest and not row.through_cache]
        ratios = _at_equal_sizes(through, device)
        answers += [_answer(direction, ratios)] if ratios else []
        answers += [_end_of_cache(direction, through, card)] if through else []
        numbers += [
            Number(
                (phase_words(one.one), _size_words(one.one)),
                ratio_of(one, "the storage"),
                standing_words(one),
            )
            for one in ratios
        ]
        numbers += _falls(through, card)
    return Finding(
        conditions=cache_words(found),
        answers=tuple(answers),
        columns=("phase", "data"),
        numbers=tuple(numbers),
    )


def _end_of_cache(direction: str, through: list[Row], card: Mapping[str, Any]) -> Answer:
    """The size of data from which on the cache holds no more of them."""
    limit, _ = cache_limit(through[0], card)
    end = next((drop for drop in find_drops(through, limit) if drop.ends_cache), None)
    what = Answer("", (direction,), title="Page cache ends", weight=CLIFF_WEIGHT, decides=False)
    if end is not None:
        return replace(what, value=Threshold("data", _size_words(end.before), _size_words(end.after)))
    largest = max(row.data_bytes or 0 for row in through)
    action = "larger-files" if limit is None or largest < limit else "no-end"
    words = {"limit": format_bytes(limit or largest), "largest": format_bytes(largest)}
    return replace(what, certainty=Certainty.OPEN, action=action, words=words)


def _falls(through: list[Row], card: Mapping[str, Any]) -> Iterator[Number]:
    """Where bandwidth through the cache is lost, against a smaller size's best, with the likely cause."""
    if not through:
        return
    drops = find_drops(through, cache_limit(through[0], card)[0])
    for drop in drops:
        share = median_of(drop.after) / median_of(drop.best)
        where = phase_words(drop.after), f"{_size_words(drop.before)} to {_size_words(drop.after)}"
        value = Ratio(share, None, None, drop.after.n, f"of the rate at {_size_words(drop.best)}", "%")
        yield Number(where, value, likely_cause(drop, card))
    if not drops and (fallen := decline(through)):
        row, share = fallen
        value = Ratio(share, None, None, row.n, "of the best", "%")
        yield Number((phase_words(row), _size_words(row)), value, "surely slower")


CLIFF_WEIGHT = 0.005
"""Of what nobody can choose, and often is not seen."""
WEIGHT, TIGHT = 0.2, 1.5
"""Of what a cache adds, on a first screen: less than a faster way, since nobody can choose it. And how far
apart the ends of an interval may be that is one number."""


def _answer(direction: str, ratios: list[pairing.Ratio]) -> Answer:
    """How many times as fast as the storage the cache is where it adds most; open where that is not sure."""
    cases = frozenset(row.case for one in ratios for row in (one.one, one.other))
    what = Answer("", (direction,), open_cases=cases)
    sure = [one for one in ratios if one.standing is not Standing.OPEN]
    if not sure and not all(one.near for one in ratios):
        action, words = wanting(ratios)
        return replace(what, certainty=Certainty.OPEN, action=action, words=words)
    most = max(sure or ratios, key=lambda one: one.ratio)
    tight = sure and most.low and most.high and most.high <= TIGHT * most.low
    return replace(
        what,
        value=ratio_of(most, "the storage"),
        certainty=Certainty.SURE if tight else Certainty.WITHIN,
        weight=WEIGHT * math.log10(factor(most)),
        open_cases=frozenset() if sure else what.open_cases,
    )


def _size_words(row: Row) -> str:
    return format_bytes(row.data_bytes or 0)


def _at_equal_sizes(through: list[Row], device: list[Row]) -> list[pairing.Ratio]:
    """The rows through the cache against those without."""
    # Options need not agree otherwise: what is compared is the same amount of data, with and without the
    # cache.
    by_size = {(row.data_bytes, row.ranks): row for row in device}
    return compare_all(
        [(row, by_size[key]) for row in through if (key := (row.data_bytes, row.ranks)) in by_size]
    )


@figure("size", judge_size, "Page cache", "What does the page cache add, and where does it end?")
def size(rows: list[Row], card: Card) -> list[Panel]:
    """Writes and reads in a panel each, with and without the cache's help, over the data of all ranks."""
    found = of_files(rows)
    curve = name_curves(found, "block")
    limits = {
        "write": (dirty_limit_bytes(card), "kernel makes writers wait"),
        "read": (cacheable_bytes(card), "memory available"),
    }
    panels = []
    for direction in ("write", "read"):
        part = [row for row in found if row.direction == direction]
        if not part:
            continue
        sizes = sorted({row.data_bytes or 0 for row in part})
        limit, text = limits[direction]
        inside = limit is not None and sizes[0] < limit < sizes[-1]
        spec = line_chart(
            part,
            Along(size_axis("file size, data of all ranks", sizes), _data_bytes, curve),
            all_rows=found,
            markers=[Marker(float(limit or 0), text)] if inside else [],
        )
        panels.append(Panel(f"{direction}s".capitalize(), spec))
    return panels


def _data_bytes(row: Row) -> float:
    return float(row.data_bytes or 0)


@rule("cliff")
class CliffRule(Rule, frozen=True, kw_only=True):
    """With `seen`, a fall to less than half where the page cache ends; without, that there is none. `where`
    chooses the rows, of one phase, through the cache."""

    where: dict[str, Any]
    seen: bool = True

    def words(self) -> str:
        """What a cliff is, and what it takes to deny one."""
        verdict = Verdict.HOLDS if self.seen else Verdict.DOES_NOT_HOLD
        return (
            f"{verdict} where a larger file's whole interval lies below half of the best, and there the page "
            "cache ends; it is denied only with files larger than the memory for caching"
        )

    def decide(self, rows: list[Row], card: Mapping[str, Any]) -> Decision:
        """The first drop that ends the cache; without one, whether the files were large enough to show it."""
        chosen = [row for row in select(rows, self.where) if row.data_bytes and row.through_cache]
        if not chosen:
            return Decision(Verdict.CANNOT_BE_TOLD, "because nothing was measured through the cache")
        limit, name = cache_limit(chosen[0], card)
        drop = next((drop for drop in find_drops(chosen, limit) if drop.ends_cache), None)
        if drop is not None:
            return self._decision(Verdict.HOLDS, f"it falls {drop_words(drop)}")
        why = why_no_cliff(chosen, limit, name)
        largest = max(row.data_bytes or 0 for row in chosen)
        if limit is None or largest < limit:
            return Decision(Verdict.CANNOT_BE_TOLD, f"because {why}")
        return self._decision(Verdict.DOES_NOT_HOLD, why)

    def _decision(self, seen: Verdict, why: str) -> Decision:
        return Decision(seen if self.seen else OPPOSITE[seen], why)
