"""How well the storage benchmark predicts applications: bandwidth over ranks, and the errors."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from weir.analyse.metric import Metric
from weir.answers.answer import Answer, Certainty, Count, Number, Ratio
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
    sums,
)
from weir.questions.question import figure
from weir.results.row import Row
from weir.results.words import capital
from weir.study.patterns import IMITATION, imitation_words
from weir.units import count_words

SHORT = {DEVICE: "device"}
BANDWIDTH = Metric("bandwidth_bytes_per_s", "B/s", "bandwidth", True)
CONDITIONS = (
    "Error: predicted over measured bandwidth, minus 1, of pairs run in turns. Bandwidth: bytes over the "
    "time of the phases; of repetitions in a row the last counts."
)
WEIGHT = 0.1
"""On a first screen, where a way that is 10 times as fast weighs 1."""


def judge_prediction(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """The errors of each kind of imitation, and what differs where it is off; null without
    pairs."""
    found = predictions(rows)
    kinds = errors_by_imitation(sums(found))
    if not kinds:
        return None
    single = {kind.by: kind for kind in errors_by_imitation(phases(found))}
    return Finding(
        conditions=CONDITIONS,
        answers=tuple(_answer(kind) for kind in kinds),
        columns=("predicted by", "of", "what differs"),
        numbers=tuple(number for kind in kinds for number in _numbers(kind, single[kind.by])),
    )


def _answer(kind: Errors) -> Answer:
    error = Ratio(kind.median, None, None, len(kind.all), "in the median", "%")
    few = any(one.error.low is None for one in kind.all)
    certainty, action = (Certainty.OPEN, "more-samples") if few else (Certainty.WITHIN, "")  # no interval
    return Answer("", (imitation_words(kind.by),), error, certainty, action, weight=WEIGHT, decides=False)


def _numbers(kind: Errors, single: Errors) -> Iterator[Number]:
    """How many are off, the median error of single phases, and each that is off or the worst; the table
    `prediction` has all."""
    by, sure = imitation_words(kind.by), sum(one.error.is_sure for one in kind.off)
    off = Count(len(kind.off), len(kind.all))
    yield Number((by, f"more than {100 * OFF:.0f} % off", ""), off, f"{sure} surely")
    median = Ratio(single.median, None, None, len(single.all), unit="%")
    yield Number((by, "absolute, phase by phase", ""), median, "median")
    told = [*kind.off]
    told += [one for one in (kind.worst, single.worst) if all(one is not other for other in kind.off)]
    for one in told:
        lost = "; ".join(one.lost) or "nothing" if one.error.is_off else ""
        remark = "worst" if one is kind.worst else "worst phase" if one is single.worst else ""
        yield Number((by, place_words(one), lost), _error(one), remark)


def _error(one: Prediction) -> Ratio:
    return Ratio(one.error.median, one.error.low, one.error.high, one.error.ratio.count, unit="%")


@figure(
    "prediction-errors",
    judge_prediction,
    "Prediction error",
    "How far off is each prediction, phase by phase?",
)
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


@figure(
    "prediction",
    judge_prediction,
    "Prediction error",
    "How well does the storage benchmark predict applications?",
)
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
