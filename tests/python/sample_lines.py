"""Sample lines as weir-core prints them, of which a test says only what matters to it.

Imports nothing of Weir, since the fake weir-core uses it too.
"""

from __future__ import annotations

from typing import Any

METRICS = {
    "bandwidth_bytes_per_s": ("B/s", "bandwidth", "higher"),
    "operations_per_s": ("1/s", "rate", "higher"),
    "elapsed_s": ("s", "time", "lower"),
    "initialisation_s": ("s", "time of initialisation", "lower"),
    "solve_s": ("s", "time solving", "lower"),
    "write_s": ("s", "time writing", "lower"),
    "compute_s": ("s", "time computing", "lower"),
    "cell_updates_per_s": ("1/s", "rate of computing", "higher"),
    "flop_per_s": ("flop/s", "floating-point rate", "higher"),
    "updates_per_s": ("UP/s", "update rate", "higher"),
    "latency_us": ("us", "latency", "lower"),
    "least_latency_us": ("us", "latency of the fastest pair", "lower"),
    "nodes_latency_us": ("us", "latency between nodes", "lower"),
    "nodes_bandwidth_bytes_per_s": ("B/s", "bandwidth per process between nodes", "higher"),
    "energy_j": ("J", "energy", "lower"),
    "flop_per_joule": ("flop/J", "operations for each joule", "higher"),
    "lost_share": ("1", "share of processor time taken by other work", "lower"),
    "file_bytes": ("B", "size of the file", "lower"),
    "average_bandwidth_bytes_per_s": ("B/s", "mean of the files' bandwidths", "higher"),
}
"""Unit, noun and better direction of each."""


def metrics(**values: float | None) -> list[dict[str, Any]]:
    """The metrics of those keys, in this order."""
    return [
        {"key": key, "value": value, "unit": unit, "noun": noun, "better": better, "over_ranks": "slowest"}
        for key, value in values.items()
        for unit, noun, better in (METRICS[key],)
    ]


def sample_line(case: str, phase: str, **keys: Any) -> dict[str, Any]:
    """The line; keywords that are keys of metrics are these, all others stand beside them, as `elapsed_s`."""
    found = {key: keys.pop(key) for key in list(keys) if key in METRICS and key != "elapsed_s"}
    line = {"schema": 2, "kind": "sample", "case": case, "phase": phase}
    return {**line, "metrics": metrics(**found), "details": {}, **keys}
