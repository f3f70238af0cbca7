"""Where an application's runs spend their time, phase by phase, and which groups of ranks are best."""

from collections.abc import Callable, Iterator, Mapping
from textwrap import wrap
from typing import Any

from weir.analyse.statistics import FEWEST_SAMPLES
from weir.figures.figure import Card, Finding, Panel
from weir.figures.stacked_bars import REST, Bar, Piece, stacked_bars
from weir.groups.questions.best_groups import BestGroups, answer_of, by_setting, names_of, number_of, title_of
from weir.groups.run_phases import (
    GROUPING,
    PARTS,
    SIZES,
    Phased,
    cases_with_numbers,
    default_of,
    short_group_words,
)
from weir.questions.question import figure
from weir.results.row import Row, median_of
from weir.results.waiting import WAITING
from weir.results.words import capital, label_by
from weir.units import count_words, format_seconds, format_share

SHOWN = (*PARTS, REST)
LINE_LENGTH = 12
"""Characters of a line below a bar, so that neighbours do not touch."""
OVER = 0.005
"""By so much, as a share of the total, the medians of the parts may exceed it before it is said."""
CONDITIONS = (
    "Medians over the samples of a case, each of the slowest rank; “other” is what the medians of "
    "initialisation, solve and write leave of the median of the total. The line on a bar is the 95 % "
    "interval of the total."
)


def judge_phase_bars(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """Which groups are best in each setting, against none; null without runs that tell their phases."""
    cases = cases_with_numbers(rows)
    if not cases:
        return None
    place = label_by([case.row for case in cases], {"phase", *GROUPING})
    bests = [
        BestGroups(some, default, place(some[0].row))
        for some in by_setting(cases).values()
        if len(some) > 1 and (default := default_of(some[0], some))
    ]
    sentences = tuple(best.sentence() for best in bests) or tuple(_largest(cases, place))
    title = title_of(bests) if bests else sentences[0].rstrip(".")
    asked = tuple(best.asked() for best in bests)
    conditions = " ".join([CONDITIONS, *_cautions(cases)])
    return Finding(title, sentences, conditions, tuple(_details(cases)), asked, tuple(map(answer_of, bests)))


def _largest(cases: list[Phased], place: Callable[[Row], str]) -> Iterator[str]:
    """Without groups to compare: which part takes most."""
    for case in cases:
        total = median_of(case.total)
        part = max(PARTS, key=lambda name: median_of(case.parts[name]))
        at = place(case.row)
        share = format_share(median_of(case.parts[part]) / total) if total else "all"
        yield capital(
            f"{at + ': ' if at else ''}{part} takes most of a run, {share} of {number_of(case.total)}."
        )


def _cautions(cases: list[Phased]) -> Iterator[str]:
    counts = sorted({case.total.n for case in cases})
    each = (
        count_words(counts[0], "sample")
        if len(counts) == 1
        else f"{counts[0]} to {count_words(counts[-1], 'sample')}"
    )
    yield f"{each} a case" + (
        f"; below {FEWEST_SAMPLES} there is no interval." if counts[0] < FEWEST_SAMPLES else "."
    )
    over = [case for case in cases if -_rest(case) > OVER * median_of(case.total)]
    if over:
        most = max(-_rest(case) / median_of(case.total) for case in over)
        many = f"{len(over)} of {count_words(len(cases), 'case')}"
        yield (
            f"In {many} the medians of the parts add up to more than that of the total, by "
            f"{format_share(most)} at the most: they are of different samples and ranks, and nothing is left "
            "for “other”."
        )
    if any(case.is_analytic for case in cases):
        yield f"With the analytic model no total is compared: {WAITING}."


def _rest(case: Phased) -> float:
    return median_of(case.total) - sum(median_of(case.parts[name]) for name in PARTS)


def _details(cases: list[Phased]) -> Iterator[str]:
    name = names_of(cases)
    for case in cases:
        parts = [f"{part} {number_of(case.parts[part])}" for part in PARTS]
        left = f"other {format_seconds(max(0.0, _rest(case)))}"
        yield f"{capital(name(case))}: total {number_of(case.total)}; {', '.join([*parts, left])}."


@figure("phase-bars", judge_phase_bars)
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
    pieces = [Piece(part, median_of(case.parts[part]), number_of(case.parts[part])) for part in PARTS]
    if (rest := _rest(case)) > 0:
        pieces.append(Piece(REST, rest, f"{format_seconds(rest)}: what is left of the total"))
    short = format_seconds(median_of(total)) + ("" if total.low is not None else f" (n = {total.n})")
    lines = [line for words in others.split(", ") for line in wrap(words, LINE_LENGTH)]
    label = "|".join([short_group_words(case), *lines])
    return Bar(label, tuple(pieces), median_of(total), total.low, total.high, number_of(total), short)
