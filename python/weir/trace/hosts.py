"""Clocks of several hosts, compared by the calls that no rank leaves before all have entered.

Of such a call, the last rank of one host enters before the first of another leaves. Each is a bound on how
far the two clocks are apart; the closest bounds of the run enclose it, as messages' do in Duda, Harrus,
Haddad and Bernard, "Estimating global time in distributed systems" (ICDCS 1987).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from weir.units import format_seconds

from .lane import Lane
from .names import Call

WAIT_FOR_ALL = {"MPI_Barrier", "MPI_Allreduce", "MPI_Allgather", "MPI_Alltoall"}
"""Without a byte to give, a rank could leave all but the first at once: those are left out."""
_PIECE = 1 << 17
_MOST_NAMED = 4

Times = NDArray[np.int64]


@dataclass(frozen=True)
class Clocks:
    """How the hosts' clocks go with that of the first rank's host."""

    hosts: int
    ahead_ns: dict[str, int] = field(default_factory=dict)
    """Of each host, by how much its clock must be put back. A clock is believed where nothing speaks against
    it."""
    error_ns: dict[str, int] = field(default_factory=dict)
    """Of each host but the first rank's, how wrong that can be at most."""
    meetings: int = 0
    """Calls by which they were compared."""
    drifting: bool = False
    """Is there a clock that runs apart from the first's, so that no one difference holds?"""

    def right_ns(self, host: str, ns: int) -> int:
        """What the first rank's clock shows when a host's shows this."""
        return ns - self.ahead_ns.get(host, 0)

    def note(self) -> str:
        """What a reader must know; "" of one host."""
        if self.hosts < 2:
            return ""
        if not self.meetings:
            return (
                f"Times of {self.hosts:,} hosts are as their own clocks tell them, and nothing compares "
                "them: no call was recorded in which all ranks wait for each other. What happens on "
                "different hosts may be off by as much as their clocks are."
            )
        within = format_seconds(sum(sorted(self.error_ns.values())[-2:]) / 1e9)
        apart = " (clocks ran apart meanwhile)" if self.drifting else ""
        calls = f"{self.meetings:,} call{'' if self.meetings == 1 else 's'}"
        return (
            f"Clocks of {self.hosts:,} hosts were compared by {calls} in which all ranks wait for each "
            f"other{self._shifted()}: times of different hosts agree to within {within}{apart}."
        )

    def _shifted(self) -> str:
        shifted = {host: ahead for host, ahead in self.ahead_ns.items() if ahead}
        if not shifted:
            return ", and not found wrong"
        if len(shifted) > _MOST_NAMED:
            most = max(map(abs, shifted.values()))
            return f", and {len(shifted):,} of them put right by up to {format_seconds(most / 1e9)}"
        each = (
            f"{host}'s put {'back' if ahead > 0 else 'forward'} by {format_seconds(abs(ahead) / 1e9)}"
            for host, ahead in shifted.items()
        )
        return f", and {', '.join(each)}"


def compare_clocks(
    lanes: Sequence[Lane], calls: Sequence[Call], communicators: Sequence[str], ranks: int
) -> Clocks:
    """The clocks of the hosts of these lanes, which are in the order of their ranks, by their calls on the
    communicator of all ranks."""
    hosts = list(dict.fromkeys(lane.host for lane in lanes))
    if len(hosts) < 2:
        return Clocks(len(hosts))
    waits = np.array([call.interface == "MPI" and call.name in WAIT_FOR_ALL for call in calls])
    barrier = np.array([call.name == "MPI_Barrier" for call in calls])
    of_all = np.array([ranks_of == f"0-{ranks - 1}" for ranks_of in communicators])
    found: dict[int, tuple[str, Times]] = {}
    for lane in lanes:
        met = _meetings(lane, waits, barrier, of_all)
        if met.shape[1] and lane.rank in found:
            return Clocks(len(hosts))  # several threads of one rank: which call is whose cannot be told
        if met.shape[1]:
            found[lane.rank] = lane.host, met
    if len(found) < ranks or {host for host, _ in found.values()} != set(hosts):
        return Clocks(len(hosts))
    return _compared(hosts, list(found.values()))


def _meetings(
    lane: Lane, waits: NDArray[np.bool_], barrier: NDArray[np.bool_], of_all: NDArray[np.bool_]
) -> Times:
    """Call, begin and end of those of a lane: shape (3, n), by begin."""
    parts = [np.empty((3, 0), np.int64)]
    if waits[lane.call_index].any() and of_all[lane.communicator_index].any():
        for begin in range(0, len(lane.records), _PIECE):
            records = lane.records[begin : begin + _PIECE]
            call = lane.call_index[np.minimum(records["call"], len(lane.call_index) - 1)]
            records, call = records[waits[call]], call[waits[call]]
            sure = (records["result"] >= 0) & (barrier[call] | (records["length"] > 0))
            sure &= of_all[lane.communicator(records)]
            times = [lane.clock.ns_at(records[sure][name]) for name in ("begin_ticks", "end_ticks")]
            parts.append(np.stack([call[sure], *times]))
    met = np.concatenate(parts, axis=1)
    return met[:, np.argsort(met[1], kind="stable")]


def _compared(hosts: list[str], of_ranks: list[tuple[str, Times]]) -> Clocks:
    """By the calls that all ranks made alike, one after the other from the first on."""
    first = of_ranks[0][1]
    count = min(met.shape[1] for _, met in of_ranks)
    for _, met in of_ranks:
        other = np.flatnonzero(met[0, :count] != first[0, :count])
        count = int(other[0]) if len(other) else count
    entered = {host: np.full(count, np.iinfo(np.int64).min) for host in hosts}
    left = {host: np.full(count, np.iinfo(np.int64).max) for host in hosts}
    for host, met in of_ranks:
        entered[host] = np.maximum(entered[host], met[1, :count])
        left[host] = np.minimum(left[host], met[2, :count])
    if not count:
        return Clocks(len(hosts))
    base = of_ranks[0][0]
    ahead, error, drifting = {base: 0}, {}, False
    for host in hosts:
        if host != base:
            low = int((entered[host] - left[base]).max())
            high = int((left[host] - entered[base]).min())
            drifting |= low > high
            ahead[host], error[host] = _best(*sorted((low, high)))
    return Clocks(len(hosts), ahead, error, count, drifting)


def _best(low: int, high: int) -> tuple[int, int]:
    """How far a clock is ahead, between these bounds, and how wrong that can be. What clocks say themselves
    is 0: the bound next to it, or where they enclose less than that, their middle."""
    nearest = min(max(0, low), high)
    ahead = (low + high) // 2 if high - low < abs(nearest) else nearest
    return ahead, max(ahead - low, high - ahead)


def put_right(lanes: Sequence[Lane], clocks: Clocks, later_ns: int) -> Iterator[Lane]:
    """The lanes on the first rank's clock, and all so much later."""
    for lane in lanes:
        ns = clocks.right_ns(lane.host, lane.clock.ns) + later_ns
        yield lane if ns == lane.clock.ns else replace(lane, clock=replace(lane.clock, ns=ns))
