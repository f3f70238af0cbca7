"""The scored phases of IO500: their names, what is counted, and what their numbers are called."""

from dataclasses import dataclass

from weir.analyse.metric import Metric

GIB, KILO = 1 << 30, 1000
BENCHMARK = "io500"
_BANDWIDTH = Metric("bandwidth_bytes_per_s", "B/s", "bandwidth", True)
_RATE = Metric("rate_operations_per_s", "operations/s", "rate", True)


@dataclass(frozen=True)
class Phase:
    """`name`: as IO500 prints it, with hyphens; `title`: for people."""

    name: str
    title: str
    moves: str | None = None
    """What files' bandwidth it is: `write` or `read`; null for rates of operations."""

    @property
    def metric(self) -> Metric:
        """That of its number."""
        return _BANDWIDTH if self.moves else _RATE

    @property
    def unit(self) -> int:
        """What IO500 prints, in the unit of the metric: GiB/s, which it called GB/s until 2019, or kIOPS."""
        return GIB if self.moves else KILO


PHASES = {
    phase.name: phase
    for phase in (
        Phase("ior-easy-write", "easy write", "write"),
        Phase("ior-easy-read", "easy read", "read"),
        Phase("ior-hard-write", "hard write", "write"),
        Phase("ior-hard-read", "hard read", "read"),
        Phase("mdtest-easy-write", "easy create"),
        Phase("mdtest-easy-stat", "easy stat"),
        Phase("mdtest-easy-delete", "easy delete"),
        Phase("mdtest-hard-write", "hard create"),
        Phase("mdtest-hard-stat", "hard stat"),
        Phase("mdtest-hard-read", "hard read of small files"),
        Phase("mdtest-hard-delete", "hard delete"),
        Phase("find", "find"),
    )
}
"""Those that every list has had; what else a version prints has no score."""
LEAST_S = 300.0
"""A valid writing phase is at least so long."""
