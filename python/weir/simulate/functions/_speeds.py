"""What HPCC and the Intel MPI Benchmarks would measure of a machine's messages, simulated."""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, log

from weir.core.client import Core
from weir.pattern import Pattern
from weir.simulate.functions import Call, pattern_of
from weir.simulate.functions._beside import KEPT, beside_of
from weir.simulate.model import Machine
from weir.simulate.result import Simulation

Seconds = Callable[[Machine, Pattern], float]
"""How long a pattern takes on a machine."""
MIB = 1 << 20
RING_BYTES, RINGS = 2_000_000, 3
"""Of a message of HPCC's rings; of the random orders that are tried, of which HPCC has ten."""
TO_AND_FRO = {"PingPong": 2, "PingPing": 1, "Sendrecv": 2, "Exchange": 4}
"""Functions whose result is a bandwidth, and how many messages' bytes they count for the time of a call."""


@dataclass(frozen=True)
class Speeds:
    """Of one machine. `hpl_share`: of `nodes.flops`, what HPL reaches."""

    machine: Machine
    seconds: Seconds
    hpl_share: float = 1.0

    @property
    def ranks(self) -> int:
        """As many as it has processors."""
        return int(self.machine.number("nodes", "count") * self.machine.number("nodes", "ranks"))

    def time_s(self, function: str, ranks: int, size: int = MIB, seed: int = 1) -> float:
        """Of one call."""
        call = Call(ranks, size, 0, beside_of(self.machine), seed)
        return self.seconds(self.machine, pattern_of(function, call))

    def bandwidth(self, function: str, ranks: int, size: int = MIB) -> float:
        """Bytes/s, as the function counts its bytes."""
        return TO_AND_FRO[function] * size / self.time_s(function, ranks, size)

    def random_ring(self, ranks: int) -> float:
        """Bytes/s a process of HPCC's randomly ordered rings, of which it takes the geometric mean: a
        process sends two messages."""
        times = [self.time_s("RandomRing", ranks, RING_BYTES, seed) for seed in range(1, RINGS + 1)]
        return 2 * RING_BYTES / exp(sum(map(log, times)) / len(times))

    def balance(self, ranks: int) -> float:
        """Bytes that all processes send in random rings for each operation of HPL."""
        return self.random_ring(ranks) / (self.machine.number("nodes", "flops") * self.hpl_share)


def seconds_by(core: Core) -> Seconds:
    """What the core says."""

    def seconds(machine: Machine, pattern: Pattern) -> float:
        return core.simulate({"machine": machine.as_core(KEPT), "pattern": pattern}, Simulation).time_s

    return seconds
