"""What lies behind a result, in lines for a terminal: requests, stragglers, hints."""

from __future__ import annotations

from collections.abc import Iterator

from weir.analyse.detail import Detail, detail_of
from weir.analyse.latency import SHARES, PooledLatency
from weir.analyse.summary import Row
from weir.counts import count_words
from weir.findings.detail import hint_words, straggler_words
from weir.units import format_seconds


def request_lines(row: Row) -> Iterator[str]:
    """How long requests took, which rank was late, what became of hints; nothing where nobody knows."""
    detail = detail_of(row.samples, row.metric, row.estimate.median)
    for latency in detail.latencies:
        name = "" if latency.verb == row.phase else f"{latency.verb}: "
        yield f"{name}{_percentiles(latency)} (n = {count_words(latency.timed, 'request')})"
    yield from _others(detail)


def _percentiles(latency: PooledLatency) -> str:
    known = [(name, latency.percentile_s(share)) for name, share in SHARES.items()]
    parts = [f"{name} {format_seconds(value)}" for name, value in known if value is not None]
    return "  ".join([*parts, f"max {format_seconds(latency.max_s)}"])


def _others(detail: Detail) -> Iterator[str]:
    if detail.straggler:
        yield straggler_words(detail.straggler)
    for hint in detail.hints:
        yield hint_words(hint)
