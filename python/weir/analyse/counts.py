"""What the kernel counted while a phase ran: requests, bytes, who made them, switches, processor time."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from weir.store.records import SampleRecord


@dataclass(frozen=True)
class Counts:
    """Medians over the samples of a case, of sums over its ranks; None where the kernel did not tell.

    `requests`, `request_bytes` and `ranks` are those in the phase's direction: the system calls that read, or
    that write, their bytes, and how many ranks made them. `calls` is what the benchmark itself asked for.
    """

    calls: float | None
    requests: float | None
    request_bytes: float | None
    ranks: float | None
    switches: float | None
    cpu_s: float | None
    processes: int

    @property
    def bytes_a_request(self) -> float | None:
        """Mean size of a request."""
        return _ratio(self.request_bytes, self.requests)

    @property
    def rounds(self) -> float | None:
        """Requests of each rank that makes any, for each call of every rank: how often a collective call goes
        to the storage."""
        return _ratio(_ratio(self.requests, self.ranks), _ratio(self.calls, float(self.processes)))


def count(samples: Sequence[SampleRecord]) -> Counts | None:
    """The counts of one phase of one case; None where no sample has any."""
    known = [sample for sample in samples if sample.system]
    if not known:
        return None
    way = "write" if known[-1].phase == "write" or known[-1].sync is not None else "read"
    taker = {"write": "writing_ranks", "read": "reading_ranks"}[way]
    return Counts(
        calls=_median([sample.operations for sample in known]),
        requests=_sum_of(known, f"{way}_calls"),
        request_bytes=_sum_of(known, f"{way}_call_bytes"),
        ranks=_sum_of(known, taker),
        switches=_sum_of(known, "voluntary_switches", "involuntary_switches"),
        cpu_s=_sum_of(known, "user_s", "system_s"),
        processes=known[-1].ranks or 1,
    )


def _sum_of(samples: list[SampleRecord], *keys: str) -> float | None:
    """The median over the samples of what these keys add up to."""
    sums: list[float | None] = []
    for sample in samples:
        parts = [(sample.system or {}).get(key) for key in keys]
        sums.append(None if None in parts else sum(part for part in parts if part is not None))
    return _median(sums)


def _median(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def _ratio(one: float | None, other: float | None) -> float | None:
    return one / other if one is not None and other else None
