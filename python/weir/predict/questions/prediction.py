"""How well the storage benchmark predicts applications: bandwidth over ranks, and the errors."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from weir.analyse.metric import Metric
from weir.figures.charts import Along, line_chart
from weir.figures.encoding import ranks_axis
from weir.figures.figure import Card, Finding, Panel
from weir.figures.ratio_chart import RatioPoint, ratio_chart
from weir.predict.forecast import OFF
from weir.predict.passes import DEVICE, DIRECTIONS, READ
from weir.predict.predictions import (
    ALL,
    Errors,
    Moving,
    Prediction,
    errors_by_imitation,
    percent,
    phases,
    place_words,
    predictions,
    reasons,
    sums,
)
from weir.questions.question import figure
from weir.results.row import Row
from weir.results.words import capital, imitation_words, join_words
from weir.study.patterns import IMITATION
from weir.units import count_words

FEW = 3
"""So many comparisons are named in a title."""
SHORT = {DEVICE: "device"}
BANDWIDTH = Metric("bandwidth_bytes_per_s", "B/s", "bandwidth", True)
CONDITIONS = (
    "Error: predicted over measured bandwidth, minus 1, of pairs run in turns; above 0 the benchmark "
    "promises too much. Bandwidth: bytes over the time of the phases, of all ranks together; in a phase that "
    "reads and writes, each has the share of the time that its requests take. Nothing computes."
)
CROWDED = "With more ranks than cores, these times contain waiting for a core, on both sides."
AGAIN = (
    "Of repetitions right behind each other the last counts: the first finds memory as another case left it."
)


def judge_prediction(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """The errors of each kind of imitation, and why predictions are off; null without pairs."""
    found = predictions(rows)
    kinds = errors_by_imitation(sums(found))
    if not kinds:
        return None
    single = {kind.by: kind for kind in errors_by_imitation(phases(found))}
    first, count = kinds[0], count_words(len(kinds[0].all), "bandwidth")
    title = (
        f"{capital(imitation_words(first.by))} predict {count} of {_whose(first)} with a median absolute "
        f"error of {_size(first.median)}; the worst is off by {percent(first.worst.error.median)}"
    )
    crowded = any("oversubscribed" in row.warnings for row in rows)
    again = any(record.repetition for row in rows for record in row.records)
    conditions = " ".join([CONDITIONS, *([CROWDED] if crowded else []), *([AGAIN] if again else [])])
    sentences = [words for kind in kinds for words in (_in_short(kind), _by_phase(single[kind.by]))]
    return Finding(title, tuple(sentences), conditions, reasons(sums(found)))


def _whose(kind: Errors) -> str:
    names = list(dict.fromkeys(one.name for one in kind.all))
    return join_words(names) if len(names) <= FEW else f"{len(names)} comparisons"


def _size(share: float) -> str:
    return f"{100 * share:.1f} %"


def _in_short(kind: Errors) -> str:
    pairs = f"{count_words(len(kind.all), 'pair')} (all writes, or all reads, of a case)"
    sure = sum(one.error.is_sure for one in kind.off)
    limit = f"off by more than {100 * OFF:.0f} %"
    far = f"{len(kind.off)} {limit}, {sure} of them surely off" if kind.off else f"none {limit}"
    return (
        f"{capital(imitation_words(kind.by))}: absolute error {_size(kind.median)} in the median of {pairs}; "
        f"{far}. Worst: {_worst(kind)}."
    )


def _by_phase(kind: Errors) -> str:
    pairs = count_words(len(kind.all), "pair")
    return f"Phase by phase: {_size(kind.median)} in the median of {pairs}. Worst: {_worst(kind)}."


def _worst(kind: Errors) -> str:
    return f"{place_words(kind.worst)}, {percent(kind.worst.error.median)}"


@figure("prediction-errors", judge_prediction)
def prediction_errors(rows: list[Row], card: Card) -> list[Panel]:
    """A line an application, phase and number of ranks, on it predicted over measured bandwidth of each
    imitation: a panel for writes, one for reads."""
    return list(_errors(phases(predictions(rows)), "phase by phase"))


def _errors(
    found: Sequence[Prediction], of: str = "all phases together", colours: Sequence[str] = ()
) -> Iterable[Panel]:
    for direction in DIRECTIONS:
        points = [_point(one) for one in found if one.direction == direction]
        if points:
            title = "predicted over measured bandwidth"
            yield Panel(
                f"{capital(direction)}s, {of}: error, by application, ranks and state",
                ratio_chart(points, title, colours),
            )


def _point(one: Prediction) -> RatioPoint:
    ratio = one.error.ratio
    where = one.name if one.phase == ALL else f"{one.name} {one.phase}"
    place = f"{where}, {one.row.ranks}, {SHORT.get(one.measured.state, one.measured.state)}"
    text = f"{percent(one.error.median)}, {count_words(ratio.count, 'pair')}"
    return RatioPoint(place, imitation_words(one.by), ratio.median, ratio.low, ratio.high, text)


@figure("prediction", judge_prediction)
def prediction(rows: list[Row], card: Card) -> list[Panel]:
    """Bandwidth over ranks, a curve for the application and one for each imitation, a panel for each
    comparison's writes and reads; then the errors, all phases of a direction together."""
    found = sums(predictions(rows))
    curves = {
        (name, direction): _curves([o for o in found if o.name == name and o.direction == direction])
        for name in dict.fromkeys(one.name for one in found)
        for direction in DIRECTIONS
    }
    everything = [row for some in curves.values() for row in some]
    axis = ranks_axis(sorted({row.ranks for row in everything}))
    along = Along(axis, lambda row: float(row.ranks), lambda row: imitation_words(row.options[IMITATION]))
    panels = [
        Panel(f"{capital(name)}, {direction}s", line_chart(some, along, all_rows=everything))
        for (name, direction), some in curves.items()
        if some
    ]
    return [*panels, *_errors(found, colours=list(dict.fromkeys(map(along.series, everything))))]


def _curves(found: Sequence[Prediction]) -> list[Row]:
    """Rows of the application, each once, and of what imitates it."""
    sides = [(one.direction, one.measured) for one in found] + [
        (one.direction, one.predicted) for one in found
    ]
    return list({moving.row.case: _drawn(moving, direction) for direction, moving in sides}.values())


def _drawn(moving: Moving, direction: str) -> Row:
    found = moving.estimate
    return replace(
        moving.row,
        phase=direction,
        moves=direction,
        metric=BANDWIDTH,
        n=found.count,
        median=found.median,
        low=found.low,
        high=found.high,
        suspect=moving.row.suspect if direction == READ else None,
        data_bytes=None,
    )
