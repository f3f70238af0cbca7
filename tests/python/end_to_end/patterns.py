"""Small patterns, put together piece by piece."""

from typing import Any

Json = dict[str, Any]

LENGTH = 4096
COUNT = 4
"""Requests of one rank, unless said otherwise, and their length."""


def access(
    verb: str, *, ranks: int = 1, count: int = COUNT, length: int = LENGTH, stride: int | None = None
) -> Json:
    """The requests of some ranks, each rank's in its own part of the file; without a stride, they lie one
    after the other."""
    stride = stride or length
    return {
        "access": {
            "verb": verb,
            "file": 0,
            "ranks": {"first": 0, "count": ranks, "step": 1},
            "rank_levels": [{"count": ranks, "stride": count * stride}],
            "extent": {"start": 0, "levels": [{"count": count, "stride": stride}], "length": length},
            "order": {"kind": "sequential"},
            "sync_each": False,
        }
    }


def opening(mode: str) -> Json:
    return {"open": {"file": 0, "mode": mode}}


def closing() -> Json:
    return {"close": {"file": 0}}


def phase(name: str, *steps: Json, **changes: Any) -> Json:
    """A phase without a limit, each rank doing its own part."""
    plain = {
        "name": name,
        "collective": False,
        "reorder": {"kind": "none"},
        "time_limit_s": 0,
        "wear_out": False,
        "limited_by": "",
    }
    return {**plain, **changes, "steps": list(steps)}


def pattern(*phases: Json, ranks: int, file: str = "matrix", per_rank: bool = False) -> Json:
    """A pattern of one file."""
    return {
        "weir_pattern": 1,
        "name": "small",
        "ranks": ranks,
        "files": [{"name": file, "per_rank": per_rank}],
        "phases": list(phases),
    }
