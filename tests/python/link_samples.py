"""Samples of the benchmarks `links` and `rings` with noise, for tests of what is said about them."""

from __future__ import annotations

import itertools
import math
import random
import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sample_lines import sample_line
from weir.network.links import Pair
from weir.results.row import Row
from weir.results.summary import summarise
from weir.store.records import to_record

PASSES = 9
TIMES_US = {"latency": 1.2, "bandwidth": 90.0}
BYTES = {"latency": 8, "bandwidth": 1 << 20}


def equal(one: int, other: int) -> float:
    """All pairs are equally far."""
    return 1.0


def two_switches(first: int, far: float) -> Callable[[int, int], float]:
    """So many nodes are on a switch of their own."""
    return lambda one, other: 1.0 if (one < first) == (other < first) else far


def torus(side: int, hop: float) -> Callable[[int, int], float]:
    """A square torus, where each hop adds to the time."""

    def along(one: int, other: int) -> int:
        return min(abs(one - other), side - abs(one - other))

    return lambda one, other: 1 + hop * (along(one % side, other % side) + along(one // side, other // side))


@dataclass(frozen=True)
class Machine:
    """Nodes with the times between them. A pass has log-normal noise; one in twenty takes up to ten times as
    long, and each sample as a whole is slower or faster."""

    nodes: int
    noise: float = 0.1
    tails: float = 0.05
    times: Callable[[int, int], float] = equal
    slow: Mapping[Pair, float] = field(default_factory=dict)
    slow_node: int | None = None

    def _factor(self, pair: Pair) -> float:
        return self.slow.get(pair, 1.0) * (2.0 if self.slow_node in pair else 1.0)

    def _median(self, rng: random.Random) -> float:
        passes = [math.exp(rng.gauss(0, self.noise)) for _ in range(PASSES)]
        return statistics.median(
            one * rng.uniform(1, 10) if rng.random() < self.tails else one for one in passes
        )

    def sample(self, rng: random.Random, phase: str, places: list[dict[str, Any]]) -> dict[str, Any]:
        """One sample line."""
        pairs = list(itertools.combinations(range(self.nodes), 2))
        state = TIMES_US[phase] * math.exp(rng.gauss(0, 0.3))
        times = [state * self.times(*pair) * self._factor(pair) * self._median(rng) for pair in pairs]
        middle_s = statistics.median(times) * 1e-6
        key = "latency_us" if phase == "latency" else "bandwidth_bytes_per_s"
        value = middle_s * 1e6 if phase == "latency" else BYTES[phase] / middle_s
        details = {
            "between": "nodes" if len({place["host"] for place in places}) > 1 else "ranks",
            "places": places,
            "all_pairs": len(pairs),
            "message_bytes": BYTES[phase],
            "one": [one for one, _ in pairs],
            "other": [other for _, other in pairs],
            "time_us": times,
        }
        return sample_line("a", phase, benchmark="links", details=details, **{key: value})

    def rows(self, seed: int, samples: int = 6, places: list[dict[str, Any]] | None = None) -> list[Row]:
        """The rows of its latency and bandwidth."""
        rng = random.Random(seed)
        where = places or [{"rank": node, "host": f"n{node:02d}.cluster"} for node in range(self.nodes)]
        lines = [self.sample(rng, phase, where) for phase in TIMES_US for _ in range(samples)]
        return rows_of("links", self.nodes, lines)


def rows_of(benchmark: str, ranks: int, lines: list[dict[str, Any]]) -> list[Row]:
    """The rows of one case with these samples."""
    case = {"schema": 1, "kind": "case", "case": "a", "label": benchmark, "benchmark": benchmark}
    return summarise(map(to_record, [case | {"ranks": ranks, "options": {}}, *lines])).rows
