"""Clocks of several hosts, compared by collectives that no rank leaves before all have entered.

In such a call, the last rank of one host enters before the first of another leaves. Each call bounds the
offset between the two clocks; the closest bounds of the run enclose it, as those of messages do in Duda,
Harrus, Haddad and Bernard, "Estimating global time in distributed systems" (ICDCS 1987).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from weir.trace.lane import Lane, batches_of, communicators_of
from weir.trace.names import Call
from weir.units import count_words, format_seconds

WAIT_FOR_ALL = {"MPI_Barrier", "MPI_Allreduce", "MPI_Allgather", "MPI_Alltoall"}
"""Only a barrier waits when it moves no bytes: empty calls of the others do not count."""
_MOST_NAMED = 4

Times = NDArray[np.int64]


@dataclass(frozen=True)
class Clocks:
    """Offsets of the hosts' clocks from that of the first rank's host."""

    hosts: int
    ahead_ns: dict[str, int] = field(default_factory=dict)
    """Of each host, how far its clock is ahead. 0 where that is within the bounds."""
    error_ns: dict[str, int] = field(default_factory=dict)
    """Of each host but the first rank's, the most that this offset can be wrong."""
    comparisons: int = 0
    """Calls that bound the offsets."""
    drifting: bool = False
    """Does a clock drift, so that no one offset holds?"""

    def corrected_ns(self, host: str, ns: int) -> int:
        """The time of a host's clock as the first rank's clock has it."""
        return ns - self.ahead_ns.get(host, 0)

    def note(self) -> str:
        """What a reader must know; "" with one host."""
        if self.hosts < 2:
            return ""
        if not self.comparisons:
            return (
                f"Times of {self.hosts:,} hosts are those of their own clocks, which could not be compared: "
                "no collective of all ranks was recorded. Times of different hosts may differ by as much "
                "as their clocks do."
            )
        within = format_seconds(sum(sorted(self.error_ns.values())[-2:]) / 1e9)
        drift = " (clocks drifted meanwhile)" if self.drifting else ""
        calls = count_words(self.comparisons, "collective")
        return (
            f"Clocks of {self.hosts:,} hosts were compared by {calls} of all ranks{self._corrections()}: "
            f"times of different hosts agree to within {within}{drift}."
        )

    def _corrections(self) -> str:
        corrected = {host: ahead for host, ahead in self.ahead_ns.items() if ahead}
        if not corrected:
            return ", and needed no correction"
        if len(corrected) > _MOST_NAMED:
            most = max(map(abs, corrected.values()))
            return f", and {len(corrected):,} of them corrected by up to {format_seconds(most / 1e9)}"
        each = (
            f"{host}'s set {'back' if ahead > 0 else 'forward'} by {format_seconds(abs(ahead) / 1e9)}"
            for host, ahead in corrected.items()
        )
        return f", and {', '.join(each)}"


def compare_clocks(
    lanes: Sequence[Lane], calls: Sequence[Call], communicators: Sequence[str], ranks: int
) -> Clocks:
    """The clocks of the hosts of these lanes, which are in the order of their ranks, by their collectives on
    the communicator of all ranks."""
    hosts = list(dict.fromkeys(lane.host for lane in lanes))
    if len(hosts) < 2:
        return Clocks(len(hosts))
    met = _synchronising_calls(lanes, calls, np.array([of == f"0-{ranks - 1}" for of in communicators]))
    own, first, counts = np.unique(met[0], return_index=True, return_counts=True)
    of = [lanes[number] for number in own.tolist()]
    threads = len({lane.rank for lane in of}) < len(of)  # of one rank: their calls have no common order
    if threads or len(of) < ranks or {lane.host for lane in of} != set(hosts):
        return Clocks(len(hosts))
    # Compare only the calls that all ranks made in the same order, from the first on.
    _, call, begin, end = met[:, first[:, None] + np.arange(counts.min())]
    alike = np.logical_and.accumulate((call == call[0]).all(axis=0))
    return _compared(hosts, [lane.host for lane in of], begin[:, alike], end[:, alike])


def _synchronising_calls(lanes: Sequence[Lane], calls: Sequence[Call], of_all: NDArray[np.bool_]) -> Times:
    """Lane, call, begin and end of each, of all lanes: shape (4, n), by lane and begin."""
    waits = np.array([call.interface == "MPI" and call.name in WAIT_FOR_ALL for call in calls])
    barrier = np.array([call.name == "MPI_Barrier" for call in calls])
    parts = [np.empty((4, 0), np.int64)]
    for batch in batches_of(lanes) if waits.any() and of_all.any() else ():
        sure = waits[batch.call] & ~batch.failed & (barrier[batch.call] | (batch.length > 0))
        some = batch.only(sure)
        some = some.only(of_all[communicators_of(lanes, some)])
        parts.append(np.stack([some.lane, some.call, some.begin_ns, some.end_ns]))
    met = np.concatenate(parts, axis=1)
    return met[:, np.lexsort((met[2], met[0]))]


def _compared(hosts: list[str], host_of: list[str], begin: Times, end: Times) -> Clocks:
    """By begins and ends of these calls, a row for each rank."""
    if not begin.shape[1]:
        return Clocks(len(hosts))
    numbers = {host: number for number, host in enumerate(hosts)}
    number = np.array([numbers[host] for host in host_of])
    order = np.argsort(number, kind="stable")
    first = np.searchsorted(number[order], np.arange(len(hosts)))
    entered, left = np.maximum.reduceat(begin[order], first), np.minimum.reduceat(end[order], first)
    low = (entered - left[number[0]]).max(axis=1).tolist()
    high = (left - entered[number[0]]).min(axis=1).tolist()
    ahead, error, drifting = {host_of[0]: 0}, {}, False
    for host, *bounds in zip(hosts, low, high, strict=True):
        if host != host_of[0]:
            drifting |= bounds[0] > bounds[1]
            ahead[host], error[host] = _best(*sorted(bounds))
    return Clocks(len(hosts), ahead, error, begin.shape[1], drifting)


def _best(low: int, high: int) -> tuple[int, int]:
    """The offset of a clock between these bounds, and the most that it can be wrong: what is nearest to 0,
    or, where the bounds are closer to each other than to 0, their middle."""
    nearest = min(max(0, low), high)
    ahead = (low + high) // 2 if high - low < abs(nearest) else nearest
    return ahead, max(ahead - low, high - ahead)


def with_corrected_clocks(lanes: Sequence[Lane], clocks: Clocks, later_ns: int) -> Iterator[Lane]:
    """The lanes on the first rank's clock, all later by `later_ns`."""
    for lane in lanes:
        ns = clocks.corrected_ns(lane.host, lane.clock.ns) + later_ns
        yield lane if ns == lane.clock.ns else replace(lane, clock=replace(lane.clock, ns=ns))
