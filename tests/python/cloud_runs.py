"""Runs of the gas cloud that nobody made: the paper's counts in closed form, and times to choose."""

from __future__ import annotations

from typing import Any

from sample_lines import metrics, sample_line

TIMES_S = {"open": 0.8, "close": 0.08, "read": 0.4, "write": 1.6, "communication": 2.4, "sync": 0.24}
"""Of all ranks together."""
ELAPSED_S = {"restart": 0.5, "dumps": 2.0}
"""Of the slowest rank."""
WAITING_SHARE = 0.75
"""Of the time of communication."""
SMALL = {"cells": (128, 128, 64), "along": (2, 2, 2), "dumps": 4}
LARGE = {"cells": (256, 256, 128), "along": (4, 4, 4), "dumps": 1}


def io_record(
    cells: tuple[int, ...], along: tuple[int, ...], dumps: int, times_s: dict[str, float] | None = None
) -> dict[str, Any]:
    """What a restarted run by two-phase I/O says of its calls."""
    times = TIMES_S | ELAPSED_S | (times_s or {})
    volume, ranks, plane = _product(cells), _product(along), along[0] * along[1]
    files, arrays = 1 + 6 * dumps, 6 + 16 * dumps
    counts = {
        "open": ranks * files,
        "close": ranks * files,
        "read": 1 + 6 * ranks,
        "write": 6 * dumps + 16 * dumps * ranks,
        "seek": (2 * ranks - 1) * arrays + (ranks - 1) * files,
        "communication": 2 * (plane - 1) * ranks * arrays + ranks,
        "sync": dumps,  # one rank of the node
    }
    read, written = 24 + 24 * volume, dumps * (144 + 52 * volume)
    return {
        "calls": {
            name: {"count": count, "total_s": times.get(name)}
            | ({"waiting_s": WAITING_SHARE * times[name]} if name == "communication" else {})
            for name, count in counts.items()
        },
        "communication_of_the_paper": ranks * arrays * (ranks + plane - 2) + ranks,
        "read_sizes": [[24, 1], [4 * volume // ranks, 6 * ranks]],
        "write_sizes": [
            [24, 6 * dumps],
            [volume // ranks, 4 * dumps * ranks],
            [4 * volume // ranks, 12 * dumps * ranks],
        ],
        "bytes_read": read,
        "bytes_written": written,
        "read_elapsed_s": times["restart"],
        "write_elapsed_s": times["dumps"],
        "read_bandwidth_bytes_per_s": read / (times["read"] / ranks),
        "write_bandwidth_bytes_per_s": written / (times["write"] / ranks),
    }


def run_sample(
    case: str,
    shape: dict[str, Any],
    *,
    repetition: int = 0,
    steps: int = 20,
    method: str = "two-phase",
    **times_s: float,
) -> dict[str, Any]:
    """The sample of the phase "run"."""
    cells, along = shape["cells"], shape["along"]
    updates = _product(cells) * steps / 8.0
    return sample_line(
        case,
        "run",
        benchmark="cloud",
        repetition=repetition,
        ranks=_product(along),
        elapsed_s=10.0,
        metrics=metrics(elapsed_s=10.0, compute_s=8.0, cell_updates_per_s=updates),
        details={
            "cells": list(cells),
            "ranks_along": list(along),
            "method": method,
            "steps": steps,
            "dumps": shape["dumps"],
            "io": io_record(cells, along, shape["dumps"], times_s),
        },
        warnings=[],
    )


def transfer_sample(
    case: str, shape: dict[str, Any], phase: str, *, repetition: int = 0, elapsed_s: float
) -> dict[str, Any]:
    """The sample of the phase "write" or "read"."""
    io = io_record(**shape)
    moved = io["bytes_written" if phase == "write" else "bytes_read"]
    return sample_line(
        case,
        phase,
        benchmark="cloud",
        repetition=repetition,
        ranks=_product(shape["along"]),
        bytes=moved,
        bytes_written=moved if phase == "write" else 0,
        bytes_read=0 if phase == "write" else moved,
        elapsed_s=elapsed_s,
        bandwidth_bytes_per_s=moved / elapsed_s,
        warnings=[],
    )


def _product(numbers: tuple[int, ...]) -> int:
    x, y, z = numbers
    return x * y * z
