"""Rows of the benchmark `network`: its functions, message sizes, and the ranks that took part."""

from collections.abc import Iterable
from dataclasses import dataclass

from weir.analyse.latency import PooledLatency
from weir.results.row import Row, measured

BENCHMARK = "network"
TIME, BANDWIDTH = "time_us", "bandwidth_bytes_per_s"
OUTLIER = 4.0
"""A call that takes this many times the median one was disturbed: what a network does by itself hardly
differs by so much from call to call."""


def network_rows(rows: Iterable[Row]) -> list[Row]:
    """Those of the benchmark that have a number."""
    return [row for row in measured(rows) if row.benchmark == BENCHMARK]


def function_of(row: Row) -> str:
    """IMB's name of the function."""
    return str(row.options["function"])


def message_bytes(row: Row) -> int:
    """IMB's message size; 0 of what has no message."""
    return int(row.options["bytes"] or 0)


def ranks_of(row: Row) -> int:
    """Ranks that took part."""
    return int(row.options.get("active") or row.ranks)


def traffic_of(row: Row) -> str:
    """IMB's class of the function: single, parallel or collective; empty where the samples do not say."""
    return next((str(one.details["traffic"]) for one in row.records if "traffic" in one.details), "")


@dataclass(frozen=True)
class Disturbance:
    """Calls that took at least OUTLIER times the median one, by their share of the calls and of the time."""

    calls: int
    timed: int
    of_time: float
    longest_s: float


def disturbance(latency: PooledLatency) -> Disturbance | None:
    """That of all calls of a row; null where the median is not known."""
    median_s = latency.percentile_s(0.5)
    if median_s is None:
        return None
    late = [(bound_s, count) for bound_s, count in latency.histogram if bound_s > OUTLIER * median_s]
    # The mean of a bin lies below its bound by about the relative error; the longest call is known exactly.
    late_s = sum(
        min(bound_s * (1 - latency.relative_error), latency.max_s) * count for bound_s, count in late
    )
    whole_s = latency.mean_s * latency.timed
    share = min(late_s / whole_s, 1.0) if whole_s else 0.0
    return Disturbance(sum(count for _, count in late), latency.timed, share, latency.max_s)
