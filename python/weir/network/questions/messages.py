"""Functions of MPI over message sizes, and over rank counts: their time, or their bandwidth.

The figures 6 to 15 of Saini et al. (2006) are those over rank counts, at a message of 1 MiB.
"""

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from weir.answers.answer import Answer, Certainty, Number, Ratio
from weir.answers.quantities import NUMBER, if_known, number_answer, quantity_of
from weir.answers.ratios import factor, ratio_of
from weir.figures.charts import Along, Point, line_chart
from weir.figures.encoding import ranks_axis, size_axis
from weir.figures.figure import Card, Finding, Panel
from weir.network.reach import WITHIN, across_if_any, titled
from weir.network.rows import (
    BANDWIDTH,
    TIME,
    disturbance,
    function_of,
    message_bytes,
    network_rows,
    ranks_of,
    traffic_of,
)
from weir.questions.question import figure
from weir.questions.saturation import cores_marker
from weir.results import pairing
from weir.results.marks import Mark
from weir.results.pairing import compare
from weir.results.row import Row, median_of, with_metric
from weir.results.words import label_by, placed_ranks_words, value_of
from weir.units import SIZES, format_bytes, format_seconds

CONDITIONS = (
    "Medians of batches of calls, of the slowest rank, timed as the Intel MPI Benchmarks do; buffers stay in "
    "the caches unless the setting says otherwise. Disturbed calls took more than 4 times the median one."
)
COLUMNS = ("function", "message", "ranks")
MOST_ANSWERS = 4
TRAFFIC = {
    "single": "Between two ranks",
    "parallel": "All ranks with their neighbours",
    "collective": "Collective calls",
}
SMALLEST_SHOWN = 0.5
"""Where a logarithmic axis has the message without bytes."""


def with_key(rows: list[Row], key: str) -> list[Row]:
    """The rows of the benchmark with that metric as their result."""
    found = [with_metric(row, key) for row in network_rows(rows)]
    return [row for row in found if row is not None and row.median is not None]


def namer(rows: list[Row]) -> Callable[[Row], str]:
    """Names curves by function and whatever else varies; ranks that are part of a larger launch are told, and
    those of one node beside others of several."""
    placing = {"nodes", "ranks_per_node"} if _tells_all(rows) else set()
    others = label_by(rows, {"function", "bytes", "ranks", "active", "phase", *placing})

    def name(row: Row) -> str:
        function = f"{function_of(row)} {WITHIN}" if placing and row.within_node else function_of(row)
        part = f"of {row.ranks} started" if ranks_of(row) < row.ranks else ""
        return ", ".join(filter(None, [function, others(row), part]))

    return name


def _tells_all(rows: list[Row]) -> bool:
    """Whether "within one node" says all that placements differ in."""
    asked = {(value_of(row, "nodes"), value_of(row, "ranks_per_node")): row.within_node for row in rows}
    return sorted(asked.values()) == [False, True]


def curves(rows: list[Row], name: Callable[[Row], str], x: Callable[[Row], float]) -> dict[str, list[Row]]:
    """Rows by their curves, each in the order of its axis."""
    found: dict[str, list[Row]] = {}
    for row in sorted(rows, key=x):
        found.setdefault(name(row), []).append(row)
    return found


def size_words(row: Row) -> str:
    """ "1 MiB", "4,097 B", "no bytes": exactly."""
    size = message_bytes(row)
    if not size:
        return "no bytes"
    number, unit = format_bytes(size).split()
    return f"{number} {unit}" if float(number) * SIZES[unit] == size else f"{size:,} B"


def _judge_sizes(rows: list[Row], key: str) -> Finding | None:
    found = with_key(rows, key)
    if not found:
        return None
    name = namer(found)
    each = curves(found, name, message_bytes)
    across = across_if_any(found)
    network = curves(across, name, message_bytes)
    said = max(across, key=median_of) if key == BANDWIDTH else next(iter(network.values()))[0]
    rivals = _rivals(network[name(said)], network) if key == BANDWIDTH else []
    answer = _number_answer(said, name)
    if rivals and said.low is not None:
        answer = replace(answer, certainty=Certainty.WITHIN)
    shown = [row for curve in each.values() for row in curve if row in (curve[0], curve[-1], *rivals)]
    return Finding(
        conditions=CONDITIONS,
        answers=(answer,),
        columns=COLUMNS,
        numbers=(
            *(replace(_number(row, name), remark=RIVAL if row in rivals else "") for row in shown),
            *_disturbed(found),
        ),
    )


RIVAL = "may be as fast"


def _rivals(fastest: list[Row], each: Mapping[str, list[Row]]) -> list[Row]:
    """Of each other function the size that comes nearest to the fastest, where the intervals leave open that
    it is as fast; also without intervals."""
    low = max(fastest, key=median_of).low
    nearest = [max(curve, key=_high) for curve in each.values() if curve is not fastest]
    return [row for row in nearest if low is None or _high(row) >= low]


def _high(row: Row) -> float:
    return math.inf if row.high is None else row.high


def _number_answer(row: Row, name: Callable[[Row], str]) -> Answer:
    return replace(number_answer((name(row), size_words(row), _ranks_words(row)), row), setting="")


def _number(row: Row, name: Callable[[Row], str]) -> Number:
    return Number((name(row), size_words(row), _ranks_words(row)), quantity_of(row))


def _disturbed(rows: list[Row]) -> list[Number]:
    """The share of the time that disturbed calls took of each case that has some, the worst first."""
    found = [(row, one) for row in rows for latency in row.detail.latencies if (one := disturbance(latency))]
    worst = sorted((pair for pair in found if pair[1].calls), key=lambda pair: -pair[1].of_time)
    name = namer(rows)
    return [
        replace(
            _number(row, name),
            value=Ratio(one.of_time, None, None, one.timed, "of the time", "%"),
            remark=f"{one.calls:,} disturbed calls, longest {format_seconds(one.longest_s)}",
        )
        for row, one in worst
    ]


def _judge_ranks(rows: list[Row], key: str) -> Finding | None:
    found = with_key(rows, key)
    if not found:
        return None
    answers: list[tuple[float, Answer]] = []
    numbers: list[Number] = []
    for part in curves(found, function_of, ranks_of).values():
        name = namer(part)
        sized = _with_size(name, part)
        for curve in curves(part, sized, ranks_of).values():
            numbers += [_number(row, name) for row in curve if row in (curve[0], curve[-1])]
            growth = _growth(curve)
            if growth is None:
                answers.append((1.0, _number_answer(curve[0], sized)))
                continue
            alike = curve[0].nodes == curve[-1].nodes
            first = str(ranks_of(curve[0])) if alike else _ranks_words(curve[0])
            what = f"{first} to {_ranks_words(curve[-1])}"
            value = replace(ratio_of(growth), unit="times" if key == BANDWIDTH else "times as long")
            numbers.append(Number((name(curve[0]), size_words(curve[0]), what), value))
            answer = Answer("", (sized(curve[0]), what), value, weight=NUMBER, decides=False)
            answers.append((factor(growth), if_known(answer)))
    answers.sort(key=lambda one: -one[0])
    return Finding(
        conditions=CONDITIONS,
        answers=tuple(answer for _, answer in answers[:MOST_ANSWERS]),
        columns=COLUMNS,
        numbers=(*numbers, *_disturbed(found)),
    )


def _with_size(name: Callable[[Row], str], rows: Collection[Row]) -> Callable[[Row], str]:
    """Names with the size of the message, where rows have several."""
    if len({size_words(row) for row in rows}) < 2:
        return name
    return lambda row: f"{name(row)}, {size_words(row)}"


def _growth(curve: list[Row]) -> pairing.Ratio | None:
    """The number with the most ranks over that with the fewest; null of one number of ranks."""
    first, last = curve[0], curve[-1]
    if ranks_of(first) == ranks_of(last):
        return None
    return compare(last, first) if first.metric.greater_is_better else compare(first, last)


def _ranks_words(row: Row) -> str:
    return placed_ranks_words(row, ranks_of(row))


def _size_panels(rows: list[Row], key: str) -> list[Panel]:
    found = with_key(rows, key)
    name = namer(found)
    axis = size_axis("message size", sorted({_x(row) for row in found}))
    parts = {words: [row for row in found if traffic_of(row) == kind] for kind, words in TRAFFIC.items()}
    parts["Other"] = [row for row in found if traffic_of(row) not in TRAFFIC]
    return [
        Panel(titled(words, part), line_chart(part, Along(axis, _x, name), all_rows=part))
        for words, part in parts.items()
        if part
    ]


def _x(row: Row) -> float:
    return float(message_bytes(row) or SMALLEST_SHOWN)


def _ranks_panels(rows: list[Row], card: Card, key: str) -> list[Panel]:
    found = with_key(rows, key)
    marks = list(dict.fromkeys(mark for row in found for mark in row.marks)) if key == BANDWIDTH else []
    counts = sorted({ranks_of(row) for row in found} | {mark.ranks for mark in marks})
    return [
        Panel(
            titled(function, part),
            line_chart(
                part,
                Along(ranks_axis(counts), lambda row: float(ranks_of(row)), _with_size(namer(part), part)),
                markers=cores_marker(card, counts),
                printed=[
                    _printed(mark, _with_size(namer(part), part)(part[0]))
                    for mark in marks
                    if mark in part[0].marks
                ],
            ),
        )
        for function, part in curves(found, function_of, ranks_of).items()
    ]


def _printed(mark: Mark, series: str) -> Point:
    """A bandwidth of another machine, beside a curve of this one."""
    return Point(float(mark.ranks), mark.bytes_per_s, series, mark.state, mark.words())


def judge_time(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """What calls take, at the smallest and the largest message of each function."""
    return _judge_sizes(rows, TIME)


def judge_bandwidth(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """The bandwidth by IMB's formula, of functions that have one."""
    return _judge_sizes(rows, BANDWIDTH)


def judge_time_over_ranks(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """What calls take with the fewest and with the most ranks."""
    return _judge_ranks(rows, TIME)


def judge_bandwidth_over_ranks(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """The bandwidth of a rank by IMB's formula, with the fewest and with the most ranks."""
    return _judge_ranks(rows, BANDWIDTH)


@figure("call-time", judge_time, "Call time", "How long do calls take, and how disturbed are they?")
def call_time(rows: list[Row], card: Card) -> list[Panel]:
    """A panel for each of IMB's classes, a curve a function, over message sizes."""
    return _size_panels(rows, TIME)


@figure("call-bandwidth", judge_bandwidth, "Greatest bandwidth", "Which bandwidth do calls reach?")
def call_bandwidth(rows: list[Row], card: Card) -> list[Panel]:
    """The same of bandwidths."""
    return _size_panels(rows, BANDWIDTH)


@figure("call-time-ranks", judge_time_over_ranks, "Call time", "How do calls slow down with more ranks?")
def call_time_ranks(rows: list[Row], card: Card) -> list[Panel]:
    """A panel a function, over rank counts."""
    return _ranks_panels(rows, card, TIME)


@figure(
    "call-bandwidth-ranks",
    judge_bandwidth_over_ranks,
    "Call bandwidth",
    "How does bandwidth change with more ranks?",
)
def call_bandwidth_ranks(rows: list[Row], card: Card) -> list[Panel]:
    """The same of bandwidths."""
    return _ranks_panels(rows, card, BANDWIDTH)
