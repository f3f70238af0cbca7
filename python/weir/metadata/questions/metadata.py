"""Operations on files: the rate of each, and strategies of opening one common file by all ranks."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from weir.analyse.paired import Standing
from weir.answers.answer import Answer, Certainty, Count, Number
from weir.answers.quantities import NUMBER, number_answer, quantity_of
from weir.answers.ratios import ratio_of
from weir.figures.charts import Along, dot_chart, line_chart
from weir.figures.encoding import ranks_axis
from weir.figures.figure import Card, Finding, Panel
from weir.questions.comparison import OPEN_WEIGHT, compare_strategies, judge_layout, wanting
from weir.questions.question import figure
from weir.questions.saturation import RANKS
from weir.results.pairing import compare
from weir.results.row import Row, directions, measured, median_of
from weir.results.words import label_by, opening_words
from weir.units import count_words

RATE_CONDITIONS = (
    "Rates of all ranks together. Files created shortly before are still in caches, so stat and open seldom "
    "reach the device."
)


def rates_of(rows: list[Row]) -> list[Row]:
    """Rows whose number is a rate of operations."""
    return [row for row in measured(rows) if row.metric.unit == "1/s" and row.metric.greater_is_better]


def judge_operations(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """The slowest and the fastest operation, and what the layout of directories makes of each; null without
    rates."""
    found = rates_of(rows)
    if not found:
        return None
    name = label_by(found, {"phase"})
    between = judge_layout(found, card)
    ordered = [row for phase in directions(found) for row in found if row.direction == phase]
    return Finding(
        conditions=RATE_CONDITIONS,
        answers=(_answer(*_extremes(found)),),
        columns=("", "against", "phase"),
        numbers=(
            *(Number((name(row), "", row.phase), quantity_of(row)) for row in ordered),
            *(between.numbers if between else ()),
        ),
    )


def _answer(slow: Row, fast: Row) -> Answer:
    """How many times as fast the fastest is as the slowest; the rate of one alone."""
    ratio = compare(fast, slow)
    if ratio is None or slow is fast:
        return number_answer((slow.phase,), slow)
    found = Answer("", (fast.phase,), ratio_of(ratio, slow.phase), title="Fastest operation", weight=NUMBER)
    if ratio.standing is not Standing.OPEN:
        return found
    cases = frozenset({slow.case, fast.case})
    if ratio.near:
        return replace(found, certainty=Certainty.WITHIN, open_cases=cases)
    action, words = wanting([ratio])
    return replace(
        found, certainty=Certainty.OPEN, action=action, words=words, weight=OPEN_WEIGHT, open_cases=cases
    )


def _extremes(rows: list[Row]) -> tuple[Row, Row]:
    """The slowest and the fastest operation, each in its best case."""
    best = [max((row for row in rows if row.direction == phase), key=median_of) for phase in directions(rows)]
    return min(best, key=median_of), max(best, key=median_of)


@figure("operations", judge_operations, "Operation rate", "Which operations on files are fast, which slow?")
def operations(rows: list[Row], card: Card) -> list[Panel]:
    """A line an operation, on a logarithmic scale where they differ much; a dot for each setting."""
    found = rates_of(rows)
    order = directions(found)
    ordered = sorted(found, key=lambda row: order.index(row.direction))
    spec = dot_chart(ordered, lambda row: row.phase, label_by(found, {"phase"}))
    return [Panel("", spec)]


OPENING_OPTIONS = frozenset({"opening", "interface", "hint", "mpi_io", "env"})
OPENING_CONDITIONS = (
    "Opens and closes of all ranks together, a second. Who really opened the file is read from the kernel."
)


def openings(rows: list[Row]) -> list[Row]:
    """The opens of a common file, by strategy and number of ranks."""
    found = [row for row in measured(rows) if row.phase == "open" and row.options.get("opening")]
    return sorted(found, key=lambda row: (opening_words(row), row.ranks))


def judge_opening(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """Every other strategy against every rank opening it through POSIX, and how many ranks held it open."""
    found = openings(rows)
    finding = compare_strategies(
        found,
        OPENING_OPTIONS,
        opening_words,
        lambda row: row.options.get("opening") == "independent" and row.options.get("interface") == "posix",
    )
    return finding and replace(
        finding, conditions=OPENING_CONDITIONS, numbers=(*finding.numbers, *_with_most_ranks(found))
    )


def _with_most_ranks(rows: list[Row]) -> Iterator[Number]:
    """The rate of each strategy, and how many ranks at most held the file open in any sample."""
    most = max(row.ranks for row in rows)
    for row in (row for row in rows if row.ranks == most):
        subject = opening_words(row), "", f"{row.phase}, {count_words(most, 'rank')}"
        yield Number(subject, quantity_of(row))
        held = [count for one in row.records if (count := one.details.get("opened_by_ranks")) is not None]
        if held:
            yield Number(subject, Count(max(held), most), "ranks really opened it")


@figure("opening", judge_opening, "Opening", "Which way of opening one common file is fastest?")
def opening(rows: list[Row], card: Card) -> list[Panel]:
    """Opens a second, summed over all ranks, over rank counts, a curve a strategy."""
    found = openings(rows)
    axis = ranks_axis(sorted({row.ranks for row in found}))
    return [Panel("", line_chart(found, Along(axis, RANKS.x, opening_words)))]
