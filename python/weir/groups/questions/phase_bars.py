"""Where an application's runs spend their time, phase by phase, and which groups of ranks are best."""

from collections.abc import Callable, Iterator, Mapping
from textwrap import wrap
from typing import Any

from weir.analyse.statistics import FEWEST_SAMPLES
from weir.answers.answer import Answer, Certainty, Number, Ratio
from weir.answers.quantities import quantity_of, single
from weir.figures.figure import Card, Finding, Panel
from weir.figures.stacked_bars import REST, Bar, Piece, stacked_bars
from weir.groups.questions.best_groups import BestGroups, by_setting, names_of
from weir.groups.run_phases import (
    GROUPING,
    PARTS,
    SIZES,
    TOTAL,
    Phased,
    cases_with_numbers,
    default_of,
    short_group_words,
)
from weir.questions.question import figure
from weir.results.quantity_words import measured_words
from weir.results.row import Row, median_of
from weir.results.words import capital, label_by
from weir.units import count_words, format_seconds, format_share

SHOWN = (*PARTS, REST)
LINE_LENGTH = 12
"""Characters of a line below a bar, so that neighbours do not touch."""
OVER = 0.005
"""By so much, as a share of the total, the medians of the parts may exceed it before it is said."""
CONDITIONS = (
    "Medians, each of the slowest rank; “other” is what the parts leave of the total. Gains are of samples "
    "taken in turns, so that they need not be quotients of medians."
)
WEIGHT = 0.1
"""On a first screen, where a way that is 10 times as fast weighs 1."""


def judge_phase_bars(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """Which groups are best in each setting, against none, or else which part of a run takes most; null
    without runs that tell their phases."""
    cases = cases_with_numbers(rows)
    if not cases:
        return None
    place = label_by([case.row for case in cases], {"phase", *GROUPING})
    bests = [
        BestGroups(some, default, place(some[0].row))
        for some in by_setting(cases).values()
        if len(some) > 1 and (default := default_of(some[0], some))
    ]
    gains = [number for best in bests for number in best.numbers()]
    return Finding(
        conditions=CONDITIONS,
        answers=tuple(best.answer() for best in bests) or tuple(_longest(cases, place)),
        columns=("groups", "against", "part"),
        numbers=(*gains, *_times(cases)),
    )


def _longest(cases: list[Phased], place: Callable[[Row], str]) -> Iterator[Answer]:
    """Without groups to compare: which part takes most."""
    for case in cases:
        total = median_of(case.total)
        part = max(PARTS, key=lambda name: median_of(case.parts[name]))
        if total:
            share = Ratio(median_of(case.parts[part]) / total, None, None, case.total.n, "of a run", "%")
            subject = filter(None, [place(case.row), part])
            few = share.n < FEWEST_SAMPLES
            certainty, action = (
                (Certainty.OPEN, "more-samples") if few else (Certainty.WITHIN, "")
            )  # no interval
            yield Answer("", tuple(subject), share, certainty, action, weight=WEIGHT, decides=False)


def _times(cases: list[Phased]) -> Iterator[Number]:
    """Of each case the total, its parts, and what they leave of it; nothing is left where they exceed it,
    being medians of different samples and ranks."""
    name = names_of(cases)
    for case in cases:
        waits = "solve only waits" if case.is_analytic else ""
        yield Number((name(case), "", TOTAL), quantity_of(case.total), waits)
        for part in PARTS:
            yield Number((name(case), "", part), quantity_of(case.parts[part]))
        rest, total = _rest(case), case.total
        if -rest > OVER * median_of(total):
            over = f"parts exceed total by {format_share(-rest / median_of(total))}"
            yield Number((name(case), "", REST), None, over)
        else:
            yield Number((name(case), "", REST), single("other_s", "s", max(0.0, rest), total.n))


def _rest(case: Phased) -> float:
    return median_of(case.total) - sum(median_of(case.parts[name]) for name in PARTS)


@figure(
    "phase-bars",
    judge_phase_bars,
    "Groups of ranks",
    "Where does time go, and which groups of ranks are best?",
)
def phase_bars(rows: list[Row], card: Card) -> list[Panel]:
    """A panel a comparison and number of ranks, in it a bar a case."""
    cases = cases_with_numbers(rows)
    names = list(dict.fromkeys(name for row in rows for name in row.comparisons))
    found = [(name, [case for case in cases if name in case.row.comparisons]) for name in names]
    if len(found) < 2:
        return _panels(cases, "")
    return [panel for name, some in found for panel in _panels(some, capital(name))]


def _panels(cases: list[Phased], name: str) -> list[Panel]:
    """Those of one comparison, on equal axes."""
    by_ranks: dict[int, list[Phased]] = {}
    for case in sorted(cases, key=lambda case: case.row.ranks):
        by_ranks.setdefault(case.row.ranks, []).append(case)
    bars = {ranks: _bars(some) for ranks, some in by_ranks.items()}
    every = [bar for some in bars.values() for bar in some]
    drawn = [part for part in SHOWN if any(piece.name == part for bar in every for piece in bar.pieces)]
    highest = max((bar.top_s for bar in every), default=0.0)
    titles = {ranks: count_words(ranks, "rank") if len(bars) > 1 else "" for ranks in bars}
    return [
        Panel(", ".join(filter(None, [name, titles[ranks]])), stacked_bars(some, drawn, highest))
        for ranks, some in bars.items()
    ]


def _bars(cases: list[Phased]) -> list[Bar]:
    others = label_by([case.row for case in cases], {*SIZES, "phase", "ranks"})
    return [_bar(case, others(case.row)) for case in cases]


def _bar(case: Phased, others: str) -> Bar:
    total = case.total
    pieces = [Piece(part, median_of(case.parts[part]), measured_words(case.parts[part])) for part in PARTS]
    if (rest := _rest(case)) > 0:
        pieces.append(Piece(REST, rest, f"{format_seconds(rest)}: what is left of the total"))
    short = format_seconds(median_of(total)) + ("" if total.low is not None else f" (n = {total.n})")
    lines = [line for words in others.split(", ") for line in wrap(words, LINE_LENGTH)]
    label = "|".join([short_group_words(case), *lines])
    return Bar(label, tuple(pieces), median_of(total), total.low, total.high, measured_words(total), short)
