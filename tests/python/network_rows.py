"""Rows of the benchmark network that nobody measured: a simple model of times, with seeded noise."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from rows import row, with_samples
from weir.analyse.metric import Metric
from weir.results.row import Row

TIME = Metric("time_us", "us", "time", False)
SIZES = (0, *(1 << power for power in range(23)))
SHARES = frozenset(
    {"Gather", "Scatter", "Allgather", "Allgatherv", "Alltoall", "Alltoallv", "Reduce_scatter"}
)
FUNCTIONS = (
    *("PingPong", "PingPing", "Sendrecv", "Exchange", "Barrier", "Bcast", "Reduce", "Allreduce"),
    *("Reduce_scatter", "Allgather", "Allgatherv", "Alltoall", "Alltoallv", "Gather", "Scatter"),
)
"""The shape of the full suite, with some functions more."""
Times = Callable[[str, int], float]


def time_of(function: str, size: int, ranks: int = 4) -> float:
    """Microseconds in a library in which each collective is as slow as its composition allows, and small
    messages cost the same: a null hypothesis at its edge."""
    moved = size * (ranks if function in SHARES else 1)
    parts = {"Allreduce": 2, "Allgather": 2, "Allgatherv": 2, "Alltoall": 2, "Alltoallv": 2}
    return parts.get(function, 1) * (1 + moved / 8192)


def network_row(function: str, size: int, samples: Iterable[float], **changes: Any) -> Row:
    """A row of a function with a sample a round."""
    start = changes.pop("start", "barrier")
    options = {"function": function, "bytes": size, "imb": "2021", "active": 0, "group": 0, "counts": "equal"}
    values = list(samples)
    known = {name: changes.pop(name) for name in list(changes) if name in Row.__dataclass_fields__}
    made = row("call", None, n=len(values), metric=TIME, benchmark="network", **{"ranks": 4, **known})
    made = replace(
        made,
        case=f"{function}-{size}-{sorted(changes.items())}-{made.ranks}",
        options=options | changes,
        median=sorted(values)[len(values) // 2],
        moves=None,
    )
    made = with_samples(made, values)
    return replace(made, records=tuple(_with_start(record, start) for record in made.records))


def _with_start(record: Any, start: str) -> Any:
    record.details["start"] = start
    return record


def suite(seed: int, noise: float, rounds: int, times: Times = time_of) -> list[Row]:
    """All functions at all sizes: noise with heavy tails on each sample, and on whole launches, which hold a
    function's sizes in four parts."""
    rng = random.Random(seed)
    rows = []
    for function in FUNCTIONS:
        sizes = (0,) if function == "Barrier" else SIZES
        launches = [[rng.gauss(0, noise) for _ in range(rounds)] for _ in range(4)]
        for at, size in enumerate(sizes):
            bias = launches[at * 4 // len(sizes)]
            values = [times(function, size) * 2.718 ** (bias[n] + _noise(rng, noise)) for n in range(rounds)]
            rows.append(network_row(function, size, values))
    return rows


def _noise(rng: random.Random, noise: float) -> float:
    return rng.gauss(0, noise) + (rng.expovariate(2) if rng.random() < 0.04 else 0)
