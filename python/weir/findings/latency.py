"""How long single requests take, and how much longer the slowest of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from weir.analyse.latency import SHARES, PooledLatency
from weir.counts import count_words
from weir.findings.detail import straggler_words
from weir.findings.finding import Finding, capital
from weir.findings.option import label_by
from weir.findings.quantity import times_words
from weir.findings.row import Row, directions, measured
from weir.units import format_seconds, format_share

TAIL = 0.99


def judge_latency(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """The percentiles of every case, and where the tail is longest; null where no request was timed."""
    found = [row for row in measured(rows) if row.detail.latencies]
    if not found:
        return None
    name = case_name(found)
    order = directions(found)
    sentences = [
        f"{capital(row.phase)}, {name(row)}: {percentile_words(latency, row)}."
        if name(row)
        else f"{capital(row.phase)}: {percentile_words(latency, row)}."
        for row in sorted(found, key=lambda row: order.index(row.direction))
        for latency in row.detail.latencies
    ]
    return Finding(_title(found, name), (), _care(found), tuple(sentences))


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


def _title(rows: list[Row], name: Callable[[Row], str]) -> str:
    """Where the slowest hundredth of requests takes longest, against the median."""
    tails = [
        (p99 / p50, row)
        for row in rows
        for latency in row.detail.latencies
        if (p99 := latency.percentile_s(TAIL)) is not None and (p50 := latency.percentile_s(0.5))
    ]
    if not tails:
        return "Too few requests were timed to speak of the slowest of a hundred"
    longest, row = max(tails, key=lambda item: item[0])
    where = f", {name(row)}" if name(row) else ""
    shortest = min(tails, key=lambda item: item[0])[0]
    if len(tails) == 1:
        return (
            f"One request of a hundred takes {times_words(longest)} the median or longer ({row.phase}{where})"
        )
    return (
        f"One request of a hundred takes {times_words(shortest)} to {times_words(longest)} the median or "
        f"longer; the longest tail is that of {row.phase}{where}"
    )


def _care(rows: list[Row]) -> str:
    error = max(latency.relative_error for row in rows for latency in row.detail.latencies)
    return (
        "All requests of all samples of a case together, as the program saw them: a write is done when the "
        f"page cache has it. A percentile is within {format_share(error)} of its value; it is left out where "
        "it would take more requests."
    )
