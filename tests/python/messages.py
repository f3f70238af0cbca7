"""Messages of a made-up machine whose LogGP parameters are known, with seeded noise."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from weir.network.loggp import Call

SIZES = [0, 8, 64, 256, 512, *(1 << power for power in range(10, 23))]
LAUNCHES = 12
PRTT_SIZES = (8, 1024, 8192, 262144)


@dataclass(frozen=True)
class Machine:
    """Times in s. `ranges`: from which size on, start, and s a byte."""

    ranges: Sequence[tuple[int, float, float]] = ((0, 1e-6, 1e-10),)
    L: float = 0.4e-6
    o_s: float = 0.25e-6
    o_r: float = 0.35e-6
    g: float = 0.5e-6
    both_ways: float = 1.2
    copy_byte_s: float = 0.5e-10

    def one_way(self, size: float) -> float:
        """Half a PingPong."""
        start, slope = next((a, b) for first, a, b in reversed(self.ranges) if size >= first)
        return start + slope * size

    def time(self, call: Call) -> float:
        """Of one call, by the definitions in weir.network.loggp."""
        size = call.bytes
        match call.function:
            case "PingPong":
                return self.one_way(size)
            case "PingPing" | "Sendrecv":
                return self.both_ways * self.one_way(size)
            case "LocalCopy":
                return 1e-8 + self.copy_byte_s * size
            case "Alltoall":
                return self.both_ways * self.one_way(size) + 1e-8 + self.copy_byte_s * size
        trip = 2 * self.one_way(size)
        if call.pause_s:
            return self.o_s + call.pause_s + self.o_r
        each = max(self.g, self.o_s) if not call.delay_s else self.o_s + call.delay_s
        return trip + (call.messages - 1) * each


THREE = Machine(ranges=((0, 1e-6, 4e-10), (4096, 3e-6, 1e-10), (65536, 0.5e-6, 1.5e-10)))
"""A switch of protocol at 4 KiB, and another bandwidth from 64 KiB on, almost without a jump."""


def calls(sizes: Sequence[int] = SIZES, functions: Sequence[str] = ("PingPong", "PingPing")) -> list[Call]:
    """Plain calls."""
    return [Call(function, size) for function in functions for size in sizes]


def round_trips(sizes: Sequence[int] = PRTT_SIZES) -> list[Call]:
    """All four forms of PRTT."""
    found = []
    for size in sizes:
        pause = 1e-3
        found += [Call("PRTT", size), Call("PRTT", size, 16), Call("PRTT", size, 16, pause)]
        found.append(Call("PRTT", size, 1, 0.0, pause))
    return found


def sampled(
    time: Callable[[Call], float],
    wanted: Sequence[Call],
    noise: float = 0.0,
    *,
    seed: int = 1,
    launches: int = LAUNCHES,
) -> dict[Call, list[tuple[int, float]]]:
    """A sample a launch, of normal relative noise."""
    draw = random.Random(seed)
    return {
        call: [(launch, time(call) * max(0.1, 1 + noise * draw.gauss(0, 1))) for launch in range(launches)]
        for call in wanted
    }
