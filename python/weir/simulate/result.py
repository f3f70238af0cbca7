"""What `weir-core simulate` says of a pattern on a machine."""

from collections.abc import Sequence

import msgspec

from weir.units import format_share

MOST = 0.5


class Operation(msgspec.Struct, frozen=True):
    """All operations of a kind in a phase: their times are sums over the ranks."""

    op: str
    count: int
    bytes: int = 0
    total_s: float = 0.0
    longest_s: float = 0.0
    waited_s: float | None = None
    """In queues; null where the core does not say."""


class Phase(msgspec.Struct, frozen=True):
    """From its begin on all ranks to its end on the last one."""

    name: str
    time_s: float
    bytes_written: int = 0
    bytes_read: int = 0
    operations: tuple[Operation, ...] = ()
    timed: bool = True
    bytes_found: int = 0
    """Of those read, in the memory of the nodes before they were asked for."""


class Resource(msgspec.Struct, frozen=True):
    """Resources of a kind: how long all were in use, and the busiest of them, which is `share` of the whole
    time."""

    name: str
    count: int
    busy_s: float
    busiest_s: float
    share: float

    @property
    def limits(self) -> bool:
        """Whether it can be called a bottleneck: the busiest one is in use most of the time."""
        return self.share >= MOST

    @property
    def share_words(self) -> str:
        """ "93 %"."""
        return format_share(min(1.0, self.share))


class Simulation(msgspec.Struct, frozen=True):
    """One simulation."""

    machine: str
    ranks: int
    nodes: int
    phases: tuple[Phase, ...]
    resources: tuple[Resource, ...]
    bottleneck: str | None = None
    events: int = 0

    @property
    def timed(self) -> list[Phase]:
        """The phases that count."""
        return [phase for phase in self.phases if phase.timed]

    @property
    def time_s(self) -> float:
        """Of these."""
        return sum(phase.time_s for phase in self.timed)

    @property
    def written(self) -> float | None:
        """Bytes/s, over the phases that write; null where none does."""
        return bandwidth([(phase.bytes_written, phase.time_s) for phase in self.timed])

    @property
    def read(self) -> float | None:
        """The same of reading."""
        return bandwidth([(phase.bytes_read, phase.time_s) for phase in self.timed])

    @property
    def found(self) -> float:
        """The share of the bytes read that nodes had in memory; 0 where none are read."""
        read = sum(phase.bytes_read for phase in self.timed)
        return sum(phase.bytes_found for phase in self.timed) / read if read else 0.0

    @property
    def busiest(self) -> Resource | None:
        """What is in use longest; null where nothing is limited."""
        return next((one for one in self.resources if one.name == self.bottleneck), None)


def bandwidth(moved: Sequence[tuple[int, float]]) -> float | None:
    """All bytes over the seconds of those that have any; null where there are none."""
    some = [(size, seconds) for size, seconds in moved if size]
    total_s = sum(seconds for _, seconds in some)
    return sum(size for size, _ in some) / total_s if total_s > 0 else None
