"""Which schema the lines of `samples.jsonl` have, and how old ones are read.

Schema 2 of a sample came with `metrics` and `details`; before, each number and each benchmark's own facts
were keys of the line.
"""

from typing import Any

SAMPLE_SCHEMA = 2
OTHER_SCHEMA = 1
"""Of all other kinds of lines."""

_METRICS: dict[str, tuple[str, str, str]] = {
    "bandwidth_bytes_per_s": ("B/s", "bandwidth", "higher"),
    "operations_per_s": ("1/s", "rate", "higher"),
    "elapsed_s": ("s", "time", "lower"),
    "compute_s": ("s", "time computing", "lower"),
    "cell_updates_per_s": ("1/s", "rate of computing", "higher"),
}
_DETAILS = (
    *("interface", "layout", "opening", "file_bytes", "opened_by_ranks"),
    *("cells", "ranks_along", "method", "steps", "ended", "unresolved", "dumps", "cycles", "raised"),
    *("totals", "io"),
)


def schema_of(kind: str) -> int:
    """The schema of lines of that kind, as this Weir and its core write them."""
    return SAMPLE_SCHEMA if kind == "sample" else OTHER_SCHEMA


def migrated(line: dict[str, Any]) -> dict[str, Any]:
    """The line as it would be written today."""
    if line.get("kind") != "sample" or line.get("schema", 1) != 1:
        return line
    # The time was the result where there was neither a bandwidth nor a rate.
    has_rate = any(line.get(key) is not None for key in ("bandwidth_bytes_per_s", "operations_per_s"))
    known = [key for key in _METRICS if line.get(key) is not None and not (has_rate and key == "elapsed_s")]
    gone = {*_METRICS, *_DETAILS} - {"elapsed_s"}
    return {
        **{key: value for key, value in line.items() if key not in gone},
        **_moved(line),
        "schema": SAMPLE_SCHEMA,
        "metrics": [_metric(key, line[key]) for key in known],
        "details": {key: line[key] for key in _DETAILS if key in line},
    }


def _metric(key: str, value: Any) -> dict[str, Any]:
    unit, noun, better = _METRICS[key]
    return {
        "key": key,
        "value": value,
        "unit": unit,
        "noun": noun,
        "better": better,
        "over_ranks": "slowest",
    }


def _moved(line: dict[str, Any]) -> dict[str, Any]:
    """Which way the bytes went, where the line does not say: writing phases are named so, or say when they
    sync."""
    if line.get("bytes") is None or line.get("bytes_written") is not None:
        return {}
    writes = line.get("phase") == "write" or (line.get("phase") != "read" and line.get("sync") is not None)
    return {
        "bytes_written": line["bytes"] if writes else 0,
        "bytes_read": 0 if writes else line["bytes"],
    }
