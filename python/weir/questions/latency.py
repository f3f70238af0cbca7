"""How long single requests take, and how much longer the slowest of them."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from weir.analyse.latency import SHARES, PooledLatency
from weir.answers.answer import Answer, Certainty, Number, Ratio
from weir.answers.quantities import single
from weir.figures.charts import step_lines
from weir.figures.encoding import drawn_by_direction, quantitative
from weir.figures.figure import Card, Finding, Panel, Spec
from weir.questions.question import figure
from weir.results.quantity_words import straggler_words
from weir.results.row import Row, directions, measured
from weir.results.words import label_by
from weir.units import count_words, format_seconds, format_share

TAIL = 0.99
HEIGHT = 260
BINS_A_DECADE = 10
SECONDS_LABEL = (
    "datum.value >= 1 ? format(datum.value, '~r') + ' s'"
    " : datum.value >= 1e-3 ? format(datum.value * 1e3, '~r') + ' ms'"
    " : datum.value >= 1e-6 ? format(datum.value * 1e6, '~r') + ' µs'"
    " : format(datum.value * 1e9, '~r') + ' ns'"
)


def judge_latency(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """The percentiles of every case, and where the tail is longest; null where no request was timed."""
    found = [row for row in measured(rows) if row.detail.latencies]
    if not found:
        return None
    order = directions(found)
    return Finding(
        conditions=" ".join(filter(None, [drawn_by_direction(found)[1], _conditions(found)])),
        answers=tuple(_answer(direction, found) for direction in order),
        columns=("phase", "case", "requests"),
        numbers=tuple(_numbers(sorted(found, key=lambda row: order.index(row.direction)))),
    )


def _answer(direction: str, rows: list[Row]) -> Answer:
    """How many times the median the slowest hundredth of requests takes, where that is longest; percentiles
    have no interval."""
    tails = _tails([row for row in rows if row.direction == direction])
    what = Answer("", (direction,), weight=WEIGHT, decides=False)
    if not tails:
        return replace(what, certainty=Certainty.OPEN, action="more-requests")
    longest, timed, row = max(tails, key=lambda item: item[0])
    value = Ratio(longest, None, None, timed, "the median")
    return replace(what, value=value, certainty=Certainty.WITHIN, setting=case_name(rows)(row))


WEIGHT = 0.03
"""On a first screen, where a way that is 10 times as fast weighs 1."""


def _numbers(rows: list[Row]) -> Iterator[Number]:
    """Percentiles of every case, and the longest request with its rank."""
    name = case_name(rows)
    for row in rows:
        for latency in row.detail.latencies:
            phase = row.phase if latency.verb == row.phase else f"{row.phase}, {latency.verb}"
            for share, part in SHARES.items():
                if (value := latency.percentile_s(part)) is not None:
                    yield Number((phase, name(row), share), single("s", "s", value, latency.timed))
            alone = latency.slowest_rank is None or row.ranks == 1
            remark = "" if alone else f"on rank {latency.slowest_rank}"
            longest = single("s", "s", latency.max_s, latency.timed)
            yield Number((phase, name(row), "longest"), longest, remark)


def case_name(rows: list[Row]) -> Callable[[Row], str]:
    """Names cases by what varies among them, the phase apart."""
    return label_by(rows, {"phase"})


def percentile_words(latency: PooledLatency, row: Row) -> str:
    """ "p50 1.20 ms, p99 4.00 ms, longest 9.00 ms, on rank 1 (n = 768 requests in 12 samples)"."""
    known = [(name, latency.percentile_s(share)) for name, share in SHARES.items()]
    parts = [f"{name} {format_seconds(value)}" for name, value in known if value is not None]
    rank = "" if latency.slowest_rank is None or row.ranks == 1 else f", on rank {latency.slowest_rank}"
    verb = "" if latency.verb == row.phase else f"{latency.verb}: "
    count = f"n = {count_words(latency.timed, 'request')} in {count_words(latency.samples, 'sample')}"
    late = f"; {straggler_words(row.detail.straggler)}" if row.detail.straggler else ""
    return f"{verb}{', '.join(parts)}, longest {format_seconds(latency.max_s)}{rank} ({count}){late}"


def _tails(rows: list[Row]) -> list[tuple[float, int, Row]]:
    """How many times the median the slowest hundredth of requests takes, and of how many."""
    return [
        (p99 / p50, latency.timed, row)
        for row in rows
        for latency in row.detail.latencies
        if (p99 := latency.percentile_s(TAIL)) is not None and (p50 := latency.percentile_s(0.5))
    ]


def _conditions(rows: list[Row]) -> str:
    error = max(latency.relative_error for row in rows for latency in row.detail.latencies)
    return (
        "All requests of all samples, as the program sees them: a write is complete when the page cache has "
        f"it. Percentiles are accurate to within {format_share(error)}."
    )


@figure("latency", judge_latency, "Slowest of 100", "How long do single requests take?")
def latency(rows: list[Row], card: Card) -> list[Panel]:
    """A panel a direction: the share of requests in each tenth of a decade of duration, a curve a case."""
    found = [row for row in measured(rows) if row.detail.latencies]
    drawn, _ = drawn_by_direction(found)
    return [Panel(f"{name}s".capitalize(), _panel(part, found)) for name, part in drawn.items()]


def _panel(rows: list[Row], everything: list[Row]) -> Spec:
    name = case_name(everything)
    values: list[dict[str, Any]] = [
        {"x": 10 ** (place / BINS_A_DECADE), "share": share, "series": _series(name(row), part, row)}
        | {"percentiles": percentile_words(part, row)}
        for row in rows
        for part in row.detail.latencies
        for place, share in binned(part)
    ]
    low, high = min(value["x"] for value in values), max(value["x"] for value in values)
    scale = {"type": "log", "domain": [low / 1.2, high * 1.2], "nice": False}
    axis = {"labelExpr": SECONDS_LABEL, "values": _decades(low, high), "labelOverlap": "greedy"}
    shares = {"format": "~%", "tickCount": 5}
    encoding = {
        "x": quantitative("x", "duration of a request", scale=scale, axis=axis),
        "y": quantitative("share", "share of requests, a tenth of a decade", axis=shares),
        "tooltip": [
            {"field": "series", "title": "case"},
            {"field": "percentiles", "title": "requests"},
            {"field": "share", "title": "share here", "format": ".2%"},
        ],
    }
    return step_lines(values, HEIGHT, {"interpolate": "step", "strokeWidth": 2}, encoding)


def _series(name: str, part: PooledLatency, row: Row) -> str:
    return name if part.verb == row.phase else ", ".join(filter(None, [part.verb, name]))


def binned(part: PooledLatency) -> list[tuple[int, float]]:
    """(bin, share of requests), bins of a tenth of a decade without gaps, and an empty one at both ends."""
    counts: Counter[int] = Counter()
    for bound_s, count in part.histogram:
        counts[math.floor(math.log10(bound_s * (1 - part.relative_error)) * BINS_A_DECADE)] += count
    return [(place, counts[place] / part.timed) for place in range(min(counts) - 1, max(counts) + 2)]


def _decades(low: float, high: float) -> list[float]:
    """Ticks at 1, and where there are few decades also at 3, of each decade."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    steps: tuple[Any, ...] = (1,) if last - first > 3 else (1, 3)
    return [step * 10.0**decade for decade in range(first, last + 1) for step in steps]
