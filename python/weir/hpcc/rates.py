"""What the tests of the HPC Challenge give of the whole system, and one of them for each of another."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import msgspec

from weir.analyse.paired import Turn
from weir.results.pairing import by_turn
from weir.results.row import Row, measured, with_metric

Case = Mapping[str, Row]
"""The rows of one case, by phase."""


@dataclass(frozen=True)
class SystemRate:
    """What all ranks do together in a phase: the result of a global test as it is, that of a process times
    the ranks, unless that is not `of_all`. `key` takes another number of the samples than their result, and
    all of it is taken `times` times."""

    phase: str
    key: str | None = None
    times: float = 1.0
    of_all: bool = True

    def row(self, case: Case) -> Row | None:
        """That of its number, as it was measured; null where the case has none."""
        found = case.get(self.phase)
        return None if found is None else with_metric(found, self.key)

    def by_turn(self, case: Case) -> dict[Turn, float]:
        """In the unit of that row's metric; empty without one."""
        row = self.row(case)
        if row is None:
            return {}
        times = self.times * (row.ranks if self._is_of_a_process else 1)
        return {turn: value * times for turn, value in by_turn(row).items()}

    @property
    def _is_of_a_process(self) -> bool:
        return self.of_all and ("star-" in self.phase or self.phase.endswith("-ring"))


HPL = SystemRate("hpl")
MESSAGES = ("ping-pong", "natural-ring", "random-ring")
"""Phases whose numbers are the network's, or of one node those of its memory."""


def hpcc_cases(rows: Iterable[Row]) -> list[Case]:
    """The cases of the benchmark `hpcc` that have numbers, those with fewest ranks first."""
    found: dict[str, dict[str, Row]] = {}
    for row in sorted(measured(rows), key=lambda row: row.ranks):
        if row.benchmark == "hpcc":
            found.setdefault(row.case, {})[row.phase] = row
    return list(found.values())


def ranks_of(case: Case) -> int:
    """Of all its phases."""
    return next(iter(case.values())).ranks


def quotients(one: SystemRate, other: SystemRate, case: Case) -> dict[Turn, float]:
    """How much of one there is for each of the other, in each launch that has both."""
    ones, others = one.by_turn(case), other.by_turn(case)
    return {turn: ones[turn] / others[turn] for turn in ones if others.get(turn)}


def in_caches(rates: Iterable[SystemRate], case: Case) -> bool:
    """Whether the number of one of them is of the processor's caches in place of memory."""
    return any((row := rate.row(case)) is not None and row.in_caches for rate in rates)


class HplMemory(msgspec.Struct):
    """What a sample of HPL says of its matrix: its share of the memory of all nodes, whether that conforms to
    the rules of the HPC Challenge, and the least order that would."""

    share: float
    conforming: bool
    conforming_size: int


def hpl_memory(system: Row) -> HplMemory | None:
    """Of the last sample; null where it says nothing."""
    try:
        return msgspec.convert(system.records[-1].details.get("memory"), HplMemory)
    except (IndexError, msgspec.ValidationError):
        return None
