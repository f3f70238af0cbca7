"""Operations on files: the rate of each, and strategies of opening one common file by all ranks."""

from collections.abc import Mapping
from typing import Any

from weir.figures.charts import Along, dot_chart, line_chart
from weir.figures.encoding import ranks_axis
from weir.figures.figure import MORE_SAMPLES, Asked, Card, Finding, Panel, State
from weir.questions.comparison import compare_strategies, judge_layout
from weir.questions.question import figure
from weir.questions.saturation import RANKS
from weir.results.pairing import Ratio, compare, ratio_words
from weir.results.row import Row, directions, measured, median_of
from weir.results.words import capital, join_words, label_by, measured_words, opening_words, times_words
from weir.units import count_words

RATE_CONDITIONS = (
    "Rates of all ranks together. Files created shortly before are still in the caches of the file "
    "system, so stat and open seldom reach the device."
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
    sentences = []
    for phase in directions(found):
        parts = [f"{name(row)} {measured_words(row)}".strip() for row in found if row.direction == phase]
        sentences.append(f"{capital(phase)}: {'; '.join(parts)}.")
    slow, fast = _extremes(found)
    ratio = compare(fast, slow)
    if ratio is not None and slow is not fast:
        sentences.append(
            f"{capital(fast.phase)} against {slow.phase}, each at its best: {ratio_words(ratio)}."
        )
    between = judge_layout(found, card)
    sentences += between.sentences if between else ()
    return Finding(
        _title(ratio, slow, fast), tuple(sentences), RATE_CONDITIONS, asked=_asked(ratio, slow, fast)
    )


def _asked(ratio: Ratio | None, slow: Row, fast: Row) -> tuple[Asked, ...]:
    """Which operation is the slowest; of one alone that is no question."""
    if ratio is None or slow is fast:
        return ()
    wanting = MORE_SAMPLES
    is_open = () if ratio.differs else (State.OPEN, wanting, frozenset({slow.case, fast.case}))
    return (Asked("operations", *is_open),)


def _extremes(rows: list[Row]) -> tuple[Row, Row]:
    """The slowest and the fastest operation, each in its best case."""
    best = [max((row for row in rows if row.direction == phase), key=median_of) for phase in directions(rows)]
    return min(best, key=median_of), max(best, key=median_of)


def _title(ratio: Ratio | None, slow: Row, fast: Row) -> str:
    """By how much the fastest operation outdoes the slowest."""
    if ratio is None or slow is fast:
        return f"{capital(slow.phase)} does {measured_words(slow)}"
    if ratio.differs:
        at = f"at {measured_words(slow)}"
        return (
            f"{capital(slow.phase)} is the slowest, {at}; {fast.phase} is {times_words(ratio.ratio)} as fast"
        )
    why = "too few samples" if ratio.low is None else "too much noise"
    return f"{capital(slow.phase)} seems the slowest and {fast.phase} the fastest; {why} to tell by how much"


@figure("operations", judge_operations)
def operations(rows: list[Row], card: Card) -> list[Panel]:
    """A line an operation, on a logarithmic scale where they differ much; a dot for each setting."""
    found = rates_of(rows)
    order = directions(found)
    ordered = sorted(found, key=lambda row: order.index(row.direction))
    spec = dot_chart(ordered, lambda row: row.phase, label_by(found, {"phase"}))
    return [Panel("", spec)]


OPENING_OPTIONS = frozenset({"opening", "interface", "hint", "mpi_io", "env"})
OPENING_CONDITIONS = (
    "Opens and closes of all ranks together, a second. How many ranks held the file open is read from the "
    "kernel."
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
    if finding is None:
        return None
    sentences = (*_rates(found), *_holders(found))
    return Finding(finding.title, sentences, OPENING_CONDITIONS, finding.sentences, finding.asked)


def _rates(rows: list[Row]) -> list[str]:
    """What each strategy does with the most ranks."""
    most = max(row.ranks for row in rows)
    parts = [f"{opening_words(row)}: {measured_words(row)}" for row in rows if row.ranks == most]
    return [f"With {count_words(most, 'rank')}: {'; '.join(parts)}."]


def _holders(rows: list[Row]) -> list[str]:
    """Strategies by the most ranks that held the file open in any sample, with the most ranks."""
    most = max(row.ranks for row in rows)
    by_count: dict[int, list[str]] = {}
    for row in rows:
        held = [count for one in row.records if (count := one.details.get("opened_by_ranks")) is not None]
        if row.ranks == most and held:
            by_count.setdefault(max(held), []).append(opening_words(row))
    return [
        capital(f"actually opened by {held} of {count_words(most, 'rank')}: {join_words(strategies)}.")
        for held, strategies in sorted(by_count.items())
    ]


@figure("opening", judge_opening)
def opening(rows: list[Row], card: Card) -> list[Panel]:
    """Opens a second, summed over all ranks, over rank counts, a curve a strategy."""
    found = openings(rows)
    axis = ranks_axis(sorted({row.ranks for row in found}))
    return [Panel("", line_chart(found, Along(axis, RANKS.x, opening_words)))]
