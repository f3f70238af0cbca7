"""Strategies against each other: which is faster, by how much, or whether that is open; layouts, back-ends,
and methods of the two-phase library."""

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

from weir.analyse.paired import Standing, most_apart
from weir.answers.answer import Answer, Certainty, Number
from weir.answers.ratios import choice_of, factor, faster_and_slower, ratio_of
from weir.figures.charts import group_chart
from weir.figures.figure import Card, Finding, Panel
from weir.questions.question import figure
from weir.results.pairing import (
    Choice,
    Ratio,
    compare_all,
    pairs,
    rounded_up,
    standing_words,
    unshared_options,
)
from weir.results.row import Row, directions, measured
from weir.results.words import (
    cache_words,
    capital,
    label_by,
    layout_words,
    method_words,
    plural_words,
    strategy_words,
)

FAR = 2.0
Name = Callable[[Row], str]


def compare_strategies(
    rows: list[Row], ignoring: Collection[str], name: Name, is_reference: Choice
) -> Finding | None:
    """Every strategy, by its name, against the reference, wherever all but `ignoring` is equal; null where
    nothing is."""
    found = pairs(rows, {*ignoring, *unshared_options(rows)}, lambda row: not is_reference(row), is_reference)
    return finding_of(found, rows, ignoring, name) if found else None


def finding_of(found: list[Ratio], rows: list[Row], ignoring: Collection[str], name: Name) -> Finding:
    """What the ratios say of each direction, and all of them."""
    return Finding(
        conditions=cache_words(rows),
        answers=answers_of(found, name),
        columns=("", "against", "phase"),
        numbers=numbers_of(found, ignoring, name),
    )


def numbers_of(found: list[Ratio], ignoring: Collection[str], name: Name) -> tuple[Number, ...]:
    """Each ratio, with where it was measured."""
    others = label_by([ratio.one for ratio in found], ignoring)

    def subject(ratio: Ratio) -> tuple[str, ...]:
        where = ", ".join(filter(None, [ratio.one.phase, others(ratio.one)]))
        return name(ratio.one), name(ratio.other), where

    return tuple(Number(subject(one), ratio_of(one), standing_words(one)) for one in found)


def answers_of(found: list[Ratio], name: Name) -> tuple[Answer, ...]:
    """One for each direction."""
    return tuple(_answer(direction, part, name) for direction, part in by_direction(found).items())


def by_direction(found: list[Ratio]) -> dict[str, list[Ratio]]:
    """The ratios of each direction, in their order."""
    parts: dict[str, list[Ratio]] = {}
    for ratio in found:
        parts.setdefault(ratio.one.direction, []).append(ratio)
    return parts


def _answer(direction: str, found: list[Ratio], name: Name) -> Answer:
    """The largest sure difference, where there is one of a way that surely loses to none anywhere; or that
    all are alike, within a factor or surely; or that it is open."""
    what = Answer("", (direction,))
    left = [ratio for ratio in found if ratio.standing is Standing.OPEN]
    cases = frozenset(row.case for ratio in left for row in (ratio.one, ratio.other))
    sure = [ratio for ratio in found if ratio.differs]
    rivals = [(one.one, two.one) for one, two in combinations(found, 2) if one.other is two.other]
    among = [ratio for ratio in compare_all(rivals) if ratio.differs]
    beaten = {name(faster_and_slower(ratio)[1]) for ratio in (*sure, *among)}
    unbeaten = [ratio for ratio in sure if name(faster_and_slower(ratio)[0]) not in beaten]
    most = max(unbeaten or sure or found, key=factor)
    fast, slow = faster_and_slower(most)
    choice = choice_of(most, name(fast), name(slow), differs=bool(sure))
    certainty = Certainty.WITHIN if left or (sure and not unbeaten) else Certainty.SURE
    known = replace(what, value=choice, certainty=certainty, open_cases=cases)
    if sure:
        words, action = {"best": name(fast)}, "choose" if unbeaten else "depends"
        return replace(known, action=action, words=words, weight=math.log10(factor(most)))
    if not left:
        return replace(known, action="either", weight=ALIKE_WEIGHT)
    if all(ratio.near for ratio in left):
        apart = max(most_apart(ratio.low, ratio.high) or 1.0 for ratio in left)
        return replace(known, action="apart", words={"times": rounded_up(apart)}, weight=ALIKE_WEIGHT)
    action, words = wanting([ratio for ratio in left if not ratio.near])
    return replace(
        what,
        certainty=Certainty.OPEN,
        action=action,
        words=words,
        weight=OPEN_WEIGHT,
        open_cases=cases,
    )


ALIKE_WEIGHT, OPEN_WEIGHT = 0.05, 0.02
"""On a first screen, where a way that is 10 times as fast weighs 1."""


def wanting(left: list[Ratio]) -> tuple[str, dict[str, str]]:
    """The action that would decide them, and its words: how many times the samples, from how wide the
    intervals are."""
    wide = [max(ratio.high / ratio.low - 1, 0.0) for ratio in left if ratio.low and ratio.high]
    if not wide or len(wide) < len(left):
        return "more-samples", {}
    times = max(wide) / WIDTH_THAT_DECIDES
    if times > MOST_TIMES:
        return "too-noisy", {}
    return "more-times", {"times": f"{max(times**2, 1.5):.0f}"}


WIDTH_THAT_DECIDES = 0.15
"""An interval of this width decides nearly always: it lies inside 10 % to both sides, or beside 1."""
MOST_TIMES = 5.0
"""An interval gets narrower with the root of the samples: beyond, it would take 25 times as many."""


def strategy_panels(rows: list[Row], series: Name, ignoring: Collection[str]) -> list[Panel]:
    """Dots named by `series`, grouped by whatever else varies; `ignoring` are the options that make the
    series.
    """
    found = sorted(measured(rows), key=lambda row: (row.options.get("transfer") or 0, row.ranks))
    others = label_by(found, ignoring)
    panels = []
    for direction in directions(found):
        part = [row for row in found if row.direction == direction]
        same = [row for row in found if row.metric == part[0].metric]
        panels.append(Panel(capital(plural_words(part[0])), group_chart(part, others, series, same)))
    return panels


BACKEND_OPTIONS = frozenset(
    {"backend", "collective", "file_view", "pointer", "hint", "direct", "mpi_io", "env"}
)
SHARED = ("shared", "shared-directory")
REFERENCE_METHOD = "rank0"


def judge_layout(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """File per process against shared file, or a directory for each rank against a shared one."""
    return compare_strategies(
        rows, {"layout"}, layout_words, lambda row: row.options.get("layout", "shared") in SHARED
    )


@figure("layout", judge_layout, "Files", "Which layout of files is faster?")
def layout(rows: list[Row], card: Card) -> list[Panel]:
    """Dots side by side, a panel for writes and one for reads."""
    return strategy_panels(rows, layout_words, {"layout"})


def judge_backend(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """Every other interface, independent and collective, against POSIX."""
    return compare_strategies(
        rows,
        BACKEND_OPTIONS,
        strategy_words,
        lambda row: row.options.get("backend") == "posix" and not row.options.get("direct"),
    )


@figure("backend", judge_backend, "Interface", "Which interface is fastest?")
def backend(rows: list[Row], card: Card) -> list[Panel]:
    """Dots side by side, a panel for writes and one for reads."""
    return strategy_panels(rows, strategy_words, {"backend", "mpi_io"})


def by_method(rows: list[Row]) -> list[Row]:
    """Writes and reads of rows whose case has a method of the two-phase library."""
    return [row for row in rows if row.moves and method_words(row)]


def judge_method(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """Every other method against rank 0's; null where one of them is missing."""
    return compare_strategies(
        by_method(rows), {"method"}, method_words, lambda row: row.options.get("method") == REFERENCE_METHOD
    )


@figure("method", judge_method, "Method", "Which method of the two-phase library is fastest?")
def method(rows: list[Row], card: Card) -> list[Panel]:
    """Dots side by side, a panel for writes and one for reads."""
    return strategy_panels(by_method(rows), method_words, {"method"})
