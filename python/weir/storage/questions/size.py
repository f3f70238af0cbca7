"""Bandwidth against file size: what the page cache adds, and where it ends."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from weir.analyse.paired import Standing
from weir.answers.answer import Answer, Certainty
from weir.answers.ratios import factor, ratio_of
from weir.figures.charts import Along, Marker, line_chart
from weir.figures.encoding import name_curves, size_axis
from weir.figures.figure import Card, Finding, Panel
from weir.questions.claim import Decision, Rule, Verdict, rule, select
from weir.questions.comparison import asked_of
from weir.questions.question import figure
from weir.results.pairing import Ratio, apart_words, compare_all, times_with_interval
from weir.results.row import Row, measured
from weir.results.words import cache_words, capital, join_words, measured_words, phase_words, times_words
from weir.storage.cache_cliff import (
    cache_limit,
    cacheable_bytes,
    cliff_of,
    dirty_limit_bytes,
    drop_words,
    find_drops,
    why_no_cliff,
)
from weir.units import format_bytes

OPPOSITE = {Verdict.HOLDS: Verdict.DOES_NOT_HOLD, Verdict.DOES_NOT_HOLD: Verdict.HOLDS}


def of_files(rows: list[Row]) -> list[Row]:
    """Those whose data are a file's size: an application writes many files, and says how much in all."""
    return [row for row in measured(rows) if row.data_bytes and not row.application]


def judge_size(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """How much numbers with and without the cache's help differ, and whether a cliff was seen."""
    found = of_files(rows)
    if not found:
        return None
    flattered: list[str] = []
    cliffs: list[str] = []
    sentences: list[str] = []
    ratios: list[Ratio] = []
    answers: list[Answer] = []
    for direction in ("write", "read"):
        through = [row for row in found if row.direction == direction and row.through_cache]
        device = [row for row in found if row.direction == direction and row.honest and not row.through_cache]
        ratios += (of_direction := _at_equal_sizes(through, device))
        answers += [_answer(direction, of_direction)] if of_direction else []
        sure = [ratio for ratio in of_direction if ratio.standing is Standing.ABOVE]
        if sure:
            largest = max(sure, key=lambda ratio: ratio.ratio)
            flattered.append(f"{direction}s {'' if flattered else 'look '}up to {times_words(largest.ratio)}")
            sentences.append(_flattery_words(largest))
        if through:
            seen = cliff_of(through, card)
            sentences.append(seen.words)
            cliffs += [words] if (words := seen.title(f"{direction}s")) else []
    if not any(row.through_cache for row in found):
        title = "Bandwidth against file size, without the page cache"
    else:
        start = f"Through the cache, {join_words(flattered)} as fast as the storage"
        end = join_words(cliffs) if cliffs else "the cache's end was not seen"
        title = f"{start if flattered else _unflattered(ratios)}; {end}"
    return Finding(
        title, tuple(sentences), cache_words(found), asked=asked_of(ratios, _place), answers=tuple(answers)
    )


WEIGHT, TIGHT = 0.2, 1.5
"""Of what a cache adds, on a first screen: less than a faster way, since nobody can choose it. And how far
apart the ends of an interval may be that is one number."""


def _answer(direction: str, ratios: list[Ratio]) -> Answer:
    """How many times as fast as the storage the cache is where it adds most; open where that is not sure."""
    what = Answer("", (direction,), open_cases=frozenset(one.one.case for one in ratios))
    sure = [one for one in ratios if one.standing is not Standing.OPEN]
    if not sure:
        return replace(what, certainty=Certainty.OPEN, action="more-samples")
    most = max(sure, key=lambda one: one.ratio)
    tight = most.low and most.high and most.high <= TIGHT * most.low
    return replace(
        what,
        value=ratio_of(most, "the storage"),
        certainty=Certainty.SURE if tight else Certainty.WITHIN,
        weight=WEIGHT * math.log10(factor(most)),
        open_cases=frozenset(),
    )


def _unflattered(ratios: list[Ratio]) -> str:
    """What is said where the cache is surely faster at no size."""
    if ratios and all(ratio.standing is Standing.ALIKE for ratio in ratios):
        return "Through the cache it is as fast as the storage, within 10 %"
    if ratios and all(ratio.near for ratio in ratios):
        return f"Through the cache and from the storage: {apart_words(ratios)}"
    few = not ratios or all(ratio.low is None for ratio in ratios)
    return f"There {'are too few samples' if few else 'is too much noise'} to say what the cache adds"


def _place(row: Row) -> str:
    return f"of {_size_words(row)}"


def _size_words(row: Row) -> str:
    return format_bytes(row.data_bytes or 0)


def _at_equal_sizes(through: list[Row], device: list[Row]) -> list[Ratio]:
    """The rows through the cache against those without."""
    # Options need not agree otherwise: what is compared is the same amount of data, with and without the
    # cache.
    by_size = {(row.data_bytes, row.ranks): row for row in device}
    return compare_all(
        [(row, by_size[key]) for row in through if (key := (row.data_bytes, row.ranks)) in by_size]
    )


def _flattery_words(ratio: Ratio) -> str:
    size, what = _size_words(ratio.one), capital(phase_words(ratio.one))
    gives = f"{phase_words(ratio.other)}: {measured_words(ratio.other)}"
    return (
        f"{what}: {measured_words(ratio.one)} at {size}, {times_with_interval(ratio)} what the storage gives "
        f"({gives})."
    )


@figure("size", judge_size)
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
