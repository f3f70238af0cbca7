"""Machines made of arithmetic, and the exhaustive sweep that the search is held against."""

import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

from weir.calibrate.calibration import DIRECTIONS, WRITE

GIB = 1 << 30
MIB = 1 << 20


@dataclass
class Machine:
    """Bandwidth by size: storage, with a cache before it that takes the first bytes of a write, and keeps
    files that fit into it for reading; a start that every file costs; and noise."""

    memory: int = 24 * GIB
    ranks: int = 2
    storage: float = 2e9
    cache_speed: float = 10e9
    write_cache: int = 0
    read_cache: int = 0
    start_s: float = 0.0
    noise: float = 0.0
    source: random.Random = field(default_factory=lambda: random.Random(1))
    written: int = 0
    taken: list[int] = field(default_factory=list)
    curves: dict[str, dict[int, list[float]]] = field(default_factory=lambda: {d: {} for d in DIRECTIONS})

    def bandwidth(self, name: str, size: int) -> float:
        """Without noise."""
        total = size * self.ranks
        cached = min(total, self.write_cache) if name == WRITE else self._kept(total)
        took_s = self.start_s + cached / self.cache_speed + (total - cached) / self.storage
        return total / took_s

    def _kept(self, total: int) -> float:
        """What a read finds: all that fits; of what does not, soon nothing, since what is read next has just
        made way for what was read last."""
        return total if total <= self.read_cache else max(0, 6 * self.read_cache - 5 * total)

    def measure(self, sizes: Sequence[int]) -> None:
        """As the search wants it."""
        self.written += sum(sizes) * self.ranks
        self.taken += sizes
        for size in sizes:
            for name in DIRECTIONS:
                self.curves[name].setdefault(size, []).append(self._once(name, size))

    def _once(self, name: str, size: int) -> float:
        return self.bandwidth(name, size) * self.source.lognormvariate(0, self.noise)


def exhaustive(machine: Machine, sizes: Sequence[int], samples: int, flat: float) -> dict[str, int | None]:
    """The smallest size from which on all are within `flat` of the plateau, which is that of the two largest
    sizes, if they are; None if they are not."""
    found: dict[str, int | None] = {}
    for name in DIRECTIONS:
        medians = {s: statistics.median(machine._once(name, s) for _ in range(samples)) for s in sizes}
        ordered = sorted(sizes, reverse=True)
        level = statistics.median([medians[size] for size in ordered[:2]])
        on_it = [size for size in ordered if abs(medians[size] / level - 1) <= flat]
        steady = abs(medians[ordered[0]] / medians[ordered[1]] - 1) <= flat
        rest = next((i for i, size in enumerate(ordered) if size not in on_it), len(ordered))
        found[name] = ordered[rest - 1] if steady and rest else None
    return found
