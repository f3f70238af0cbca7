"""Samples of the benchmark `hpcc` that drift all together, as a machine does."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from link_samples import rows_of
from sample_lines import sample_line
from weir.results.row import Row

NUMBERS: dict[str, dict[str, float]] = {
    "hpl": {"flop_per_s": 80e9},
    "star-dgemm": {"flop_per_s": 50e9},
    "star-copy": {"bandwidth_bytes_per_s": 16e9},
    "ptrans": {"bandwidth_bytes_per_s": 4e9},
    "random-ring": {"latency_us": 0.3, "bandwidth_bytes_per_s": 12e9},
    "lcg-random-access": {"updates_per_s": 0.1e9},
}

CACHE_WARNING = {
    "code": "fits-in-cache",
    "problem": "16 MiB on a node are less than four times the last cache of 260 MiB",
    "why": "it is the caches that are measured",
    "advice": "Take more --memory, or a larger size, to measure memory.",
}
CACHE_DETAILS = {"node_bytes": 16 << 20, "last_cache_bytes": 260 << 20, "in_caches": True}
"""Of the samples with that warning."""


def hpcc_lines(
    samples: int = 6,
    more: Mapping[str, Mapping[str, float]] | None = None,
    details: Mapping[str, Mapping[str, Any]] | None = None,
    cached: Collection[str] = (),
    case: str = "a",
) -> list[dict[str, Any]]:
    """Of one case; `more` are further numbers by phase, which do not drift, and `details` those of all
    samples of a phase. The data of the phases `cached` fit the processor's caches."""
    lines: list[dict[str, Any]] = []
    for phase in {**NUMBERS, **(more or {})}:
        for number in range(samples):
            drifted = {key: value * (1 + number / 10) for key, value in NUMBERS.get(phase, {}).items()}
            line = sample_line(
                case, phase, benchmark="hpcc", round=number, **{**drifted, **(more or {}).get(phase, {})}
            )
            warnings = [CACHE_WARNING] if phase in cached else []
            told = {**(CACHE_DETAILS if warnings else {}), **(details or {}).get(phase, {})}
            lines.append(line | {"details": told, "warnings": warnings})
    return lines


def hpcc_rows(samples: int = 6, ranks: int = 2, **changes: Any) -> list[Row]:
    """The rows of such lines."""
    lines = hpcc_lines(samples, **changes)
    return [replace(row, case=f"with-{ranks}") for row in rows_of("hpcc", ranks, lines)]
