"""Which collectives take longer than others that could stand in for them, or for less data than for more."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from weir.analyse.metric import Metric
from weir.answers.answer import Answer, Certainty, Count, Number, Ratio
from weir.figures.encoding import (
    MOST_SERIES,
    legend_of,
    nominal,
    panel_spec,
    series_color,
    size_axis,
    value_axis,
)
from weir.figures.figure import Card, Finding, Panel, Spec
from weir.network.guidelines.judge import (
    MARGIN,
    MONOTONY,
    Judged,
    Judgement,
    Violation,
    judge_rows,
    ranks_of,
    setting_of,
    violations_of,
)
from weir.network.rows import function_of, message_bytes
from weir.questions.question import figure
from weir.results.quantity_words import times_words
from weir.results.row import Row
from weir.results.words import join_words, label_by
from weir.units import count_words, format_bytes, significant

CONDITIONS = (
    f"Violated: surely above {significant(MARGIN, 2)} times as long in the same rounds, all with 95 %. "
    'Calls of functions with a root overlap unless imb = "2021" or start = "barrier".'
)
COLUMNS = ("function", "messages", "where", "worst at")
MOST_PANELS = 6
HEIGHT = 260
Place = Callable[[Row], str]
SLOWER, SLOWER_FOR_LESS = " is surely slower than this", " is surely slower than for more data"
SHAPES = {SLOWER: "diamond", SLOWER_FOR_LESS: "triangle-up"}
"""Of marks, by what they say after the function's name."""
TOOLTIP = [{"field": "series", "title": "function"}, {"field": "text", "title": "time"}]


def judge_guidelines(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """The violations, the worst first; null where nothing can be compared."""
    judged = judge_rows(rows)
    if not judged.judgements and not judged.open_cases:
        return None
    found = violations_of(judged.judgements)
    place = place_by(rows)
    numbers = [violation_number(one, place) for one in found]
    return Finding(
        conditions=CONDITIONS,
        answers=(_answer(judged), *(_worst(one) for one in numbers[:1])),
        columns=COLUMNS,
        numbers=(*numbers, *_nearest(judged, place), *_left_out(judged)),
    )


def _answer(judged: Judged) -> Answer:
    """How many comparisons violate a guideline."""
    what = Answer("", open_cases=judged.open_cases)
    if not judged.judgements:
        return replace(what, certainty=Certainty.OPEN, action="more-samples")
    violated = sum(one.violated for one in judged.judgements)
    return replace(
        what,
        value=Count(violated, len(judged.judgements)),
        certainty=Certainty.WITHIN if judged.open_cases else Certainty.SURE,
        action="look" if violated else "",
        weight=1.0 if violated else 0.05,
    )


def _worst(number: Number) -> Answer:
    """The violation that loses most."""
    function, _, where, size = number.subject
    return Answer(
        "", (function, size, where), number.value, title="Worst violation", weight=1.0, decides=False
    )


def place_by(rows: list[Row]) -> Place:
    """Says where a row was measured: its ranks, and what else varies besides function and size."""
    network = [row for row in rows if row.options.get("function")]
    others = label_by(network, {"function", "bytes", "ranks", "active", "group", "phase"})
    return lambda row: ", ".join(filter(None, [f"on {count_words(ranks_of(row), 'rank')}", others(row)]))


def violation_number(one: Violation, place: Place) -> Number:
    """How many times as long it takes at the worst size, and over which sizes it is surely slower."""
    sizes = [judgement.size for judgement in one.judgements]
    return _number(one.worst, place, (min(sizes), max(sizes)), "violated")


def _number(one: Judgement, place: Place, sizes: tuple[int, ...], state: str) -> Number:
    ends = " to ".join(dict.fromkeys(map(format_bytes, sizes))) if one.has_message else ""
    size = format_bytes(one.size) if one.has_message else ""
    found, (time_us, others_us) = one.estimate, one.times_us
    value = Ratio(found.ratio, found.low, found.high, found.rounds, one.by, "times as long as")
    subject = (function_of(one.one), ends, place(one.one), size)
    return Number(subject, value, f"{state}: {_us(time_us)} against {_us(others_us)}")


def figures(one: Judgement) -> str:
    """ "754 µs against 201 µs (Reduce of 1 MiB 119 µs, Bcast of 1 MiB 82 µs), 3.75 times [2.90, 4.80] (n = 8
    rounds)"."""
    time_us, others_us = one.times_us
    said = f"{_us(time_us)} against {_us(others_us)} ({join_words(map(_part_words, one.parts))})"
    found = one.estimate
    interval = f"[{significant(found.low)}, {significant(found.high)}]"
    return f"{said}, {times_words(found.ratio)} {interval} (n = {count_words(found.rounds, 'round')})"


def _part_words(row: Row) -> str:
    message = f" of {format_bytes(message_bytes(row))}" if message_bytes(row) else ""
    return f"{function_of(row)}{message} {_us(row.median or 0.0)}"


def _us(value: float) -> str:
    return f"{significant(value)} µs"


def _nearest(judged: Judged, place: Place) -> Iterator[Number]:
    """Of each guideline that is not violated anywhere, where it comes nearest to it."""
    worst: dict[str, Judgement] = {}
    broken = {one.name for one in judged.judgements if one.violated}
    for one in judged.judgements:
        known = worst.get(one.name)
        if one.rule and one.name not in broken and (known is None or one.estimate.low > known.estimate.low):
            worst[one.name] = one
    return (_number(one, place, (one.size,), "nearest") for one in worst.values())


def _left_out(judged: Judged) -> Iterator[Number]:
    """The comparisons whose calls do not start together, of all that have enough rounds."""
    if judged.overlapping:
        count = Count(judged.overlapping, judged.overlapping + len(judged.judgements))
        yield Number(("functions with a root", "", "", ""), count, "left out: calls overlap")


@figure(
    "guidelines",
    judge_guidelines,
    "Violated guidelines",
    "Which calls are slower than substitutes?",
)
def guidelines(rows: list[Row], card: Card) -> list[Panel]:
    """A panel for each function that violates a guideline, or comes nearest to it: its time over message
    sizes, and the sums of the times of what could stand in for it, with violations marked."""
    judgements = judge_rows(rows).judgements
    place = place_by(rows)
    by_function: dict[tuple[str, str], list[Judgement]] = {}
    for one in judgements:
        by_function.setdefault((function_of(one.one), setting_of(one.one)), []).append(one)
    drawable = [part for part in by_function.values() if len({one.size for one in part if one.size}) > 1]
    violating = [part for part in drawable if any(one.violated for one in part)]
    chosen = violating or [part for part in drawable if any(one.rule for one in part)]
    chosen.sort(key=lambda part: -max(one.estimate.low for one in part))
    return [
        Panel(f"{function_of(part[0].one)} {place(part[0].one)}", _panel(part))
        for part in chosen[:MOST_PANELS]
    ]


def _panel(judgements: list[Judgement]) -> Spec:
    own = function_of(judgements[0].one)
    metric = judgements[0].one.metric
    sized = [one for one in judgements if one.size]
    lines = [
        _point(one.size, own, one.times_us[0], metric) for one in {one.size: one for one in sized}.values()
    ]
    lines += [_point(one.size, one.by, one.times_us[1], metric) for one in sized if one.rule]
    domain = list(dict.fromkeys(point["series"] for point in lines))[:MOST_SERIES]
    lines = sorted((point for point in lines if point["series"] in domain), key=lambda point: point["x"])
    marks = [
        _point(one.size, one.by if one.rule else own, one.times_us[1 if one.rule else 0], metric)
        | {"state": own + (SLOWER if one.rule else SLOWER_FOR_LESS), "text": f"{own}: {figures(one)}"}
        for one in sized
        if one.violated and (one.by in domain or one.by == MONOTONY)
    ]
    values = [point["time"] for point in lines]
    y = {"field": "time", **value_axis(metric, min(values), max(values))}
    return panel_spec(
        HEIGHT,
        lines,
        encoding={
            "x": size_axis(f"message of {own}", sorted({point["x"] for point in lines})),
            "color": series_color(domain, legend_of(domain) | {"symbolType": "stroke"}),
            "y": y,
        },
        layer=[
            {"mark": {"type": "line", "strokeWidth": 2}},
            {
                "mark": {"type": "point", "filled": True, "size": 22, "opacity": 1},
                "encoding": {"tooltip": TOOLTIP},
            },
            *([_marks(own, marks)] if marks else []),
        ],
    )


def _marks(own: str, marks: list[dict[str, Any]]) -> Spec:
    shapes = {own + said: shape for said, shape in SHAPES.items()}
    states = [state for state in shapes if any(mark["state"] == state for mark in marks)]
    shape = nominal(
        "state",
        scale={"domain": states, "range": [shapes[state] for state in states]},
        legend={"title": None, "columns": 1},
    )
    return {
        "data": {"values": marks},
        "mark": {"type": "point", "size": 110, "strokeWidth": 2, "opacity": 1},
        "encoding": {"shape": shape, "tooltip": TOOLTIP},
    }


def _point(size: int, series: str, time: float, metric: Metric) -> dict[str, Any]:
    shown = float(f"{time / metric.scale:.5g}")
    return {"x": size, "series": series, "time": shown, "text": f"{format_bytes(size)}: {metric.words(time)}"}
