"""Made-up samples of FLASH-IO, for tests of what reads them: a simple model of a machine, with noise."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from sample_lines import metrics, sample_line
from weir.flash.dump_costs import FILES, data_bytes

MIB = float(1 << 20)
DEFAULTS: dict[str, Any] = {
    "blocks": 0,
    "method": "auto",
    "backend": "hdf5",
    "alignment": 0,
    "memory": "interleaved",
    "pack": "copy",
    "datasets": "separate",
    "sync": False,
}
METADATA = {"checkpoint": 15_676, "plot": 8_536, "corner": 8_536}
CALLS = {"checkpoint": 34, "plot": 14, "corner": 14}
BEST = {8: 2, 16: 4, 32: 2}
"""The ranks at which the made-up machine is fastest, by the side of blocks."""


def bandwidth(options: dict[str, Any], ranks: int, file: str) -> float:
    """Noise-free, in bytes/s: a parabola over the logarithm of the ranks, less for small files."""
    side = options["block"]
    apart = abs(ranks.bit_length() - BEST.get(side, 2).bit_length())
    speed = {8: 500, 16: 900, 32: 950}.get(side, 900) * MIB * 0.82**apart
    speed *= {"checkpoint": 1.0, "plot": 0.6, "corner": 0.7}[file]
    speed *= {"hdf5": 1.0, "pnetcdf": 0.8, "mpiio": 1.15, "posix": 1.2}.get(options["backend"], 1.0)
    speed *= 0.5 if options["pack"] == "library" and file != "corner" else 1.0
    return speed * (0.4 if options["sync"] else 1.0) * (1.4 if options["memory"] == "separate" else 1.0)


def samples(case: dict[str, Any], seed: int, noise: float, repetitions: int = 12) -> Iterator[dict[str, Any]]:
    """The lines of one case, in rounds, as `weir-core` would print them."""
    options, ranks = case["options"], case["ranks"]
    rng = random.Random(f"{seed}-{case['case']}")
    for repetition in range(repetitions):
        common = {
            "benchmark": "flash-io",
            "repetition": repetition,
            "started_at": "2026-11-20T16:41:00.000Z",
            "ranks": ranks,
            "backend": options["backend"],
            "warnings": [],
            "round": repetition + 1,
            "launch": 2 if ranks > 2 else 1,
        }
        rates, total, elapsed = [], 0, 0.0
        for file in FILES:
            size = data_bytes(file, ranks, options["block"], options["blocks"])
            rates.append(bandwidth(options, ranks, file) * rng.lognormvariate(0.0, noise))
            total, elapsed = total + size, elapsed + size / rates[-1]
            yield _transfer(case, file, size, rates[-1], common, file_bytes=float(size + METADATA[file]))
        yield _transfer(case, "write", total, total / elapsed, common)
        run = sample_line(case["case"], "run", elapsed_s=elapsed, **common)
        numbers = {"elapsed_s": elapsed, "average_bandwidth_bytes_per_s": sum(rates) / len(rates)}
        yield run | {"metrics": metrics(**numbers), "details": {"io": {}, **_labels(options)}}


def _transfer(
    case: dict[str, Any], phase: str, size: int, rate: float, common: dict[str, Any], **more: float
) -> dict[str, Any]:
    calls = CALLS.get(phase, sum(CALLS.values()))
    return sample_line(
        case["case"],
        phase,
        bandwidth_bytes_per_s=rate,
        operations_per_s=rate / size * calls,
        bytes=size,
        bytes_written=size,
        bytes_read=0,
        operations=calls,
        elapsed_s=size / rate,
        details=_labels(case["options"]),
        **more,
        **common,
    )


def _labels(options: dict[str, Any]) -> dict[str, Any]:
    return {"collective": options["method"] != "independent"}
