"""Functions of MPI over message sizes, and over rank counts: their time, or their bandwidth.

The figures 6 to 15 of Saini et al. (2006) are those over rank counts, at a message of 1 MiB.
"""

from collections.abc import Callable, Mapping
from typing import Any

from weir.figures.charts import Along, line_chart
from weir.figures.encoding import ranks_axis, size_axis
from weir.figures.figure import Card, Finding, Panel
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
from weir.results.pairing import Ratio, compare, number_words, samples_words
from weir.results.row import Row, median_of, with_metric
from weir.results.words import join_words, label_by, measured_words
from weir.units import SIZES, count_words, format_bytes, format_seconds, format_share

CONDITIONS = (
    "A sample is the median of batches of calls, each timed as the Intel MPI Benchmarks do, of the slowest "
    "rank. Buffers stay in the caches unless the setting says otherwise."
)
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
    """Names curves by function and whatever else varies; ranks that are part of a larger launch are told."""
    others = label_by(rows, {"function", "bytes", "ranks", "active", "phase"})

    def name(row: Row) -> str:
        part = f"of {row.ranks} started" if ranks_of(row) < row.ranks else ""
        return ", ".join(filter(None, [function_of(row), others(row), part]))

    return name


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
    each = curves(found, namer(found), message_bytes)
    sentences = [f"{name}: {_ends_words(curve, size_words)}." for name, curve in each.items()]
    return Finding(_sizes_title(each, key), tuple(sentences), CONDITIONS, tuple(_noise_words(found)))


def _sizes_title(each: Mapping[str, list[Row]], key: str) -> str:
    first = next(iter(each.values()))
    if key == BANDWIDTH:
        best = max((row for curve in each.values() for row in curve), key=median_of)
        where = f"{measured_words(best)} at {size_words(best)}"
        others = [name for name, curve in each.items() if best not in curve and _may_reach(curve, best)]
        if best.low is None or others:
            beside = f", and {join_words(others)} may be as fast" if others else ""
            return f"The greatest median has {function_of(best)}, with {where}{beside}"
        return f"{function_of(best)} is fastest, with {where}"
    least = first[0]
    return f"{function_of(least)} of {size_words(least)} takes {measured_words(least)}" + (
        f", {count_words(len(each) - 1, 'other function')} beside it" if len(each) > 1 else ""
    )


def _may_reach(curve: list[Row], best: Row) -> bool:
    """Whether the intervals leave open that some size of the curve is as fast; also without intervals."""
    return any(row.high is None or best.low is None or row.high >= best.low for row in curve)


def _ends_words(curve: list[Row], place: Callable[[Row], str]) -> str:
    ends = [curve[0], curve[-1]] if len(curve) > 1 else curve
    return " and ".join(f"{measured_words(row)} with {place(row)}" for row in ends)


def _noise_words(rows: list[Row]) -> list[str]:
    """A sentence for each case of which calls were disturbed, by the share of time that they took."""
    found = [(row, one) for row in rows for latency in row.detail.latencies if (one := disturbance(latency))]
    worst = sorted((pair for pair in found if pair[1].calls), key=lambda pair: -pair[1].of_time)
    name = namer(rows)
    return [
        f"{name(row)}, {size_words(row)}, {_ranks_words(row)}: {one.calls} of {one.timed:,} calls took more "
        f"than 4 times the median one, {format_share(one.of_time)} of the time; the longest "
        f"{format_seconds(one.longest_s)}."
        for row, one in worst
    ]


def _ratio_words(ratio: Ratio, that: str) -> str:
    interval = "(no interval)"
    if ratio.low is not None and ratio.high is not None:
        interval = f"[{number_words(ratio.low)}, {number_words(ratio.high)}]"
    return f"{number_words(ratio.ratio)} times {interval} {that} ({samples_words(ratio)})"


def _judge_ranks(rows: list[Row], key: str) -> Finding | None:
    found = with_key(rows, key)
    if not found:
        return None
    sentences = [
        f"{name}: {_ends_words(curve, _ranks_words)}{_growth(curve)}."
        for part in curves(found, function_of, ranks_of).values()
        for name, curve in curves(part, namer(part), ranks_of).items()
    ]
    counts = sorted({ranks_of(row) for row in found})
    over = (
        f"{counts[0]} to {count_words(counts[-1], 'rank')}"
        if len(counts) > 1
        else count_words(counts[0], "rank")
    )
    what = "Bandwidth" if key == BANDWIDTH else "Time"
    return Finding(
        f"{what} of {_calls_words(found)}, {over}", tuple(sentences), CONDITIONS, tuple(_noise_words(found))
    )


def _calls_words(rows: list[Row]) -> str:
    """ "Barrier, and of Reduce and Bcast of 1 MiB"."""
    empty = [row for row in rows if not message_bytes(row)]
    others = [row for row in rows if message_bytes(row)]
    sizes = join_words(dict.fromkeys(map(size_words, others)))
    without, names = (join_words(dict.fromkeys(map(function_of, some))) for some in (empty, others))
    parts = [without, f"{names} of {sizes}" if others else ""]
    return ", and of ".join(filter(None, parts))


def _ranks_words(row: Row) -> str:
    return count_words(ranks_of(row), "rank")


def _growth(curve: list[Row]) -> str:
    if len(curve) < 2:
        return ""
    first, last = curve[0], curve[-1]
    is_rate = first.metric.greater_is_better
    ratio = compare(last, first) if is_rate else compare(first, last)
    that = f"that of {_ranks_words(first)}" if is_rate else "as long"
    return f", {_ratio_words(ratio, that)}" if ratio else ""


def _size_panels(rows: list[Row], key: str) -> list[Panel]:
    found = with_key(rows, key)
    name = namer(found)
    axis = size_axis("message size", sorted({_x(row) for row in found}))
    parts = {words: [row for row in found if traffic_of(row) == kind] for kind, words in TRAFFIC.items()}
    parts["Other"] = [row for row in found if traffic_of(row) not in TRAFFIC]
    return [
        Panel(words, line_chart(part, Along(axis, _x, name), all_rows=part))
        for words, part in parts.items()
        if part
    ]


def _x(row: Row) -> float:
    return float(message_bytes(row) or SMALLEST_SHOWN)


def _ranks_panels(rows: list[Row], card: Card, key: str) -> list[Panel]:
    found = with_key(rows, key)
    counts = sorted({ranks_of(row) for row in found})
    return [
        Panel(
            function,
            line_chart(
                part,
                Along(ranks_axis(counts), lambda row: float(ranks_of(row)), namer(part)),
                markers=cores_marker(card, counts),
            ),
        )
        for function, part in curves(found, function_of, ranks_of).items()
    ]


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


@figure("call-time", judge_time)
def call_time(rows: list[Row], card: Card) -> list[Panel]:
    """A panel for each of IMB's classes, a curve a function, over message sizes."""
    return _size_panels(rows, TIME)


@figure("call-bandwidth", judge_bandwidth)
def call_bandwidth(rows: list[Row], card: Card) -> list[Panel]:
    """The same of bandwidths."""
    return _size_panels(rows, BANDWIDTH)


@figure("call-time-ranks", judge_time_over_ranks)
def call_time_ranks(rows: list[Row], card: Card) -> list[Panel]:
    """A panel a function, over rank counts."""
    return _ranks_panels(rows, card, TIME)


@figure("call-bandwidth-ranks", judge_bandwidth_over_ranks)
def call_bandwidth_ranks(rows: list[Row], card: Card) -> list[Panel]:
    """The same of bandwidths."""
    return _ranks_panels(rows, card, BANDWIDTH)
