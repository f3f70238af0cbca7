"""A measured row for `--json`: the same of every verb, keys ending in their unit where there is one."""

from dataclasses import asdict
from typing import Any

import msgspec

from weir.results.row import Row


def row_data(row: Row) -> dict[str, Any]:
    """Of what, its number with its interval, how sure that is, all its metrics, and what lies behind them."""
    detail = row.detail
    return {
        "case": row.case,
        "benchmark": row.benchmark,
        "ranks": row.ranks,
        "env": row.env,
        "mpi_io": row.mpi_io,
        "node": row.node,
        "placement": dict(row.placement),
        "options": dict(row.options),
        "comparisons": list(row.comparisons),
        "phase": row.phase,
        "metric": row.metric.key,
        "unit": row.metric.unit,
        "samples": row.n,
        "set_aside": row.set_aside,
        "median": row.median,
        "low": row.low,
        "high": row.high,
        "relative_width": row.metrics[0].estimate.relative_width if row.metrics else None,
        "verdict": row.finished.verdict if row.finished else None,
        "why": row.finished.why if row.finished else "",
        "cache_suspect_share": row.suspect_share,
        "flags": list(row.flags),
        "warnings": list(row.own_warnings),
        "metrics": metrics_data(row),
        "first_done_s": detail.first_done_s,
        "last_done_s": detail.last_done_s,
        "latency": {latency.verb: latency.as_data() for latency in detail.latencies},
        "counts": asdict(detail.counts) if detail.counts else None,
        "straggler": asdict(detail.straggler) if detail.straggler else None,
        "hints": [msgspec.to_builtins(hint) for hint in detail.hints],
    }


def metrics_data(row: Row) -> list[dict[str, Any]]:
    """All its metrics, the result first."""
    return [
        {
            "key": one.metric.key,
            "unit": one.metric.unit,
            "noun": one.metric.noun,
            "better": "higher" if one.metric.greater_is_better else "lower",
            "samples": one.estimate.count,
            "median": one.estimate.median,
            "low": one.estimate.low,
            "high": one.estimate.high,
        }
        for one in row.metrics
    ]
