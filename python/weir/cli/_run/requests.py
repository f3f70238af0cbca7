"""What lies beside a result, in lines for a terminal: other metrics, requests, stragglers, hints."""

from __future__ import annotations

from collections.abc import Iterator

from weir.analyse.detail import Detail
from weir.analyse.latency import SHARES, PooledLatency
from weir.analyse.metric import Metric
from weir.counts import count_words
from weir.results.row import Row
from weir.results.words import hint_words, straggler_words
from weir.units import format_seconds


def request_lines(row: Row) -> Iterator[str]:
    """The other metrics, how long requests took, which rank was late, what became of hints; nothing where
    nobody knows."""
    detail = row.detail
    for one in row.metrics[1:]:
        metric, found = one.metric, one.estimate
        yield f"{metric.noun}: {metric.words(found.median)}  {interval_in(metric, found.low, found.high)}"
    for latency in detail.latencies:
        name = "" if latency.verb == row.phase else f"{latency.verb}: "
        yield f"{name}{_percentiles(latency)} (n = {count_words(latency.timed, 'request')})"
    yield from _others(detail)


def interval_in(metric: Metric, low: float | None, high: float | None) -> str:
    """ "[2690 … 2760]", without the unit where the median beside it always has the same."""
    if low is None or high is None:
        return "[none]"
    show = metric.words if metric.unit == "s" else metric.show
    return f"[{show(low)} … {show(high)}]"


def _percentiles(latency: PooledLatency) -> str:
    known = [(name, latency.percentile_s(share)) for name, share in SHARES.items()]
    parts = [f"{name} {format_seconds(value)}" for name, value in known if value is not None]
    return "  ".join([*parts, f"max {format_seconds(latency.max_s)}"])


def _others(detail: Detail) -> Iterator[str]:
    if detail.straggler:
        yield straggler_words(detail.straggler)
    for hint in detail.hints:
        yield hint_words(hint)
