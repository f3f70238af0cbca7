"""Runs of the benchmark `network` as they are read back: rows of cases whose calls took these times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from weir.results.row import Row
from weir.results.summary import summarise
from weir.store.records import AnyRecord, CaseRecord, to_record

MESSAGES = {"PingPong": 1, "PingPing": 1, "Sendrecv": 2, "Exchange": 4}
TRAFFIC = {"PingPong": "single", "PingPing": "single", "Sendrecv": "parallel", "Exchange": "parallel"}
BY_IMB = {"t_min_us": 1.0, "t_max_us": 1.25, "t_avg_us": 1.1}
"""The means of all calls, over the median of batches."""
QUIET = ((1e-6, 90), (1.0625e-6, 10))
"""A histogram without disturbed calls."""


def network_row(  # noqa: PLR0913 - what a test may say of a case
    function: str,
    size: int,
    times_us: Sequence[float],
    *,
    ranks: int = 2,
    active: int = 0,
    imb: str = "2021",
    histogram: Sequence[tuple[float, int]] = QUIET,
) -> Row:
    """The row of a case, with one sample in each round."""
    name = f"{function}-{size}-{ranks}-{active}-{imb}"
    options = {"function": function, "bytes": size, "active": active, "imb": imb, "counts": "equal"}
    case = CaseRecord(
        case=name,
        benchmark="network",
        ranks=ranks,
        options=options,
        label=name,
        comparisons=["c"],
    )
    records: list[AnyRecord] = [case]
    for number, time_us in enumerate(times_us, 1):
        line = sample_line(name, function, size, time_us, ranks=active or ranks, histogram=histogram)
        record = to_record(line | {"round": number, "launch": number})
        assert record is not None
        records.append(record)
    (row,) = summarise(records).rows
    return row


def sample_line(  # noqa: PLR0913 - the same
    case: str,
    function: str,
    size: int,
    time_us: float,
    *,
    ranks: int = 2,
    histogram: Sequence[tuple[float, int]] = QUIET,
) -> dict[str, Any]:
    """A sample as the core writes it: 100 calls in each of 8 batches."""
    metrics = [_metric("time_us", time_us, "us", "time")]
    if function in MESSAGES and size:
        metrics.append(
            _metric("bandwidth_bytes_per_s", MESSAGES[function] * size / time_us * 1e6, "B/s", "bandwidth")
        )
    metrics.append(_metric("t_min_us", time_us * 0.9, "us", "time of the fastest rank"))
    metrics.append(_metric("t_avg_us", time_us * 0.95, "us", "mean time of the ranks"))
    metrics += [_metric(f"imb_{key}", time_us * factor, "us", key) for key, factor in BY_IMB.items()]
    if function in MESSAGES and size:
        rate = MESSAGES[function] * size / (time_us * BY_IMB["t_max_us"]) * 1e6
        metrics.append(_metric("imb_bandwidth_bytes_per_s", rate, "B/s", "IMB's bandwidth"))
    if function.startswith("I"):
        metrics.append(_metric("t_pure_us", time_us * 0.75, "us", "time without computing"))
        metrics.append(_metric("t_cpu_us", time_us * 0.8, "us", "time of the computing"))
        metrics.append(_metric("overlap_percent", 68.75, "%", "overlap"))
        metrics.append(_metric("imb_t_pure_us", time_us * 0.8, "us", "IMB's t_pure"))
        metrics.append(_metric("imb_t_cpu_us", time_us * 0.85, "us", "IMB's t_CPU"))
        metrics.append(_metric("imb_overlap_percent", 70.0, "%", "IMB's overlap"))
    timed = sum(count for _, count in histogram)
    latency = {
        "timed": timed,
        "min_s": histogram[0][0],
        "mean_s": sum(bound * count for bound, count in histogram) / timed,
        "max_s": histogram[-1][0],
        "relative_error": 0.03125,
        "histogram": [list(one) for one in histogram],
    }
    traffic = TRAFFIC.get(function, "collective")
    return {
        "schema": 2,
        "kind": "sample",
        "case": case,
        "benchmark": "network",
        "repetition": 0,
        "phase": "call",
        "ranks": ranks,
        "elapsed_s": 0.05,
        "latency": {"call": latency},
        "metrics": metrics,
        "details": {"function": function, "traffic": traffic, "calls": 100, "batches": 8},
        "warnings": [],
    }


def _metric(key: str, value: float, unit: str, noun: str) -> dict[str, Any]:
    better = "higher" if unit == "B/s" else "lower"
    return {
        "key": key,
        "value": value,
        "unit": unit,
        "noun": noun,
        "better": better,
        "over_ranks": "slowest",
    }
