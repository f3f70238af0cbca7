"""Adds up each call's own time, by phase, kind of call and rank, in one pass over a trace's calls.

A call's own time is its time without the recorded calls inside it, so that no time counts twice; what is left
of a thread's time in a phase is computing.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from weir.distinct import distinct
from weir.explain.nesting import Nest
from weir.trace.batch import Batch
from weir.trace.model import Trace

from .lifetimes import Lifetimes
from .parts import COMPUTING, KINDS, Part, part_of
from .rows import PartRow, PhaseRow, Profile
from .spans import OUTSIDE, phases_of
from .tally import Tally

Integers = NDArray[np.int64]
Times = NDArray[np.float64]
"""In ns, by rank."""
Pieces = tuple[Integers, Integers, Integers]
"""Calls, the phases that they were made in, and their times there."""
LEAST_SHARE = 0.01
"""Of a phase: calls of MPI with less are told together."""


class ProfileSums:
    """Of a whole trace."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._phases = phases_of(trace)
        self._lifetimes = Lifetimes(trace, self._phases)
        self._parts: list[Part] = []
        inside = (False, True)
        of_calls = [[self._number(part_of(call, inside_io=one)) for call in trace.calls] for one in inside]
        self._part = np.array(of_calls, np.int64)
        self._tally = Tally()

    def _number(self, part: Part | None) -> int:
        if part is None:
            return -1
        if part not in self._parts:
            self._parts.append(part)
        return self._parts.index(part)

    def add(self, nest: Nest) -> None:
        """Add a batch."""
        self._lifetimes.add(nest.batch)
        counts = self._part[0][nest.batch.call] >= 0
        if not counts.all():  # marks are no calls, and nothing is inside them
            nest = Nest(nest.batch.only(counts), nest.is_io[counts])
        batch = nest.batch
        part = self._part[nest.inside_io.astype(np.int64), batch.call]
        for which, phase, took in self._pieces(batch):
            self._count(batch.lane[which], phase, part[which], took)
            if not nest.flat:
                inner = nest.parent[which] >= 0
                around = nest.parent[which[inner]]
                self._count(batch.lane[around], phase[inner], part[around], -took[inner])

    def _count(self, lane: Integers, phase: Integers, part: Integers, took: Integers) -> None:
        place = self._lifetimes.rank[lane] * len(self._phases.names) + phase
        self._tally.add(place * len(self._parts) + part, took)

    def _pieces(self, batch: Batch) -> Iterator[Pieces]:
        if not self._phases.of_lane:
            yield np.arange(len(batch)), np.full(len(batch), OUTSIDE), batch.took_ns
            return
        lanes = distinct(batch.lane)
        edges = [*np.searchsorted(batch.lane, lanes).tolist(), len(batch)]
        for lane, start, end in zip(lanes.tolist(), edges[:-1], edges[1:], strict=True):
            yield from self._pieces_of(lane, batch, np.arange(start, end))

    def _pieces_of(self, lane: int, batch: Batch, calls: Integers) -> Iterator[Pieces]:
        spans = self._lifetimes.spans(lane)
        began, ended = spans.at(batch.begin_ns[calls]), spans.at(batch.end_ns[calls] - 1)
        longer = ended > began  # a call of a thread whose phases another one marks
        within = calls[~longer]
        yield within, spans.phase[began[~longer]], batch.took_ns[within]
        for call in calls[longer].tolist():
            pieces = list(spans.pieces(int(batch.begin_ns[call]), int(batch.end_ns[call])))
            phase, took = np.array(pieces, np.int64).T
            yield np.full(len(pieces), call), phase, took

    def rows(self) -> Profile:
        """What was added up; nothing of a trace without calls."""
        if not self._trace.lanes:
            return Profile()
        times, seen = self._lifetimes.times()
        keys, sums = self._tally.sums()
        places, part = np.divmod(keys, max(1, len(self._parts)))
        ranks, phase = np.divmod(places, len(self._phases.names))
        rows = []
        for number in (*range(1, len(self._phases.names)), OUTSIDE):
            if seen[number].any():
                own = phase == number
                found = self._of_phase(times[number], part[own], ranks[own], sums[own])
                rows.append(_phase_row(self._phases.names[number], int(seen[number].sum()), found))
        return Profile(tuple(rows), len(self._lifetimes.ranks), self._lifetimes.several)

    def _of_phase(self, times: Times, part: Integers, ranks: Integers, sums: Integers) -> dict[Part, Times]:
        """The time of each rank in each part."""
        in_calls = np.bincount(ranks, sums, len(times))
        times = np.maximum(times, in_calls)  # of a damaged trace
        found: dict[Part, Times] = {Part(COMPUTING): times - in_calls}
        for at in distinct(part).tolist():
            one, of_ranks = self._parts[at], np.zeros(len(times))
            of_ranks[ranks[part == at]] = sums[part == at]
            if one.call and of_ranks.sum() < LEAST_SHARE * times.sum():
                one = Part(one.kind)
            found[one] = found.get(one, 0) + of_ranks
        return found


def _phase_row(name: str, ranks: int, found: dict[Part, Times]) -> PhaseRow:
    times: Times = np.sum([*found.values()], axis=0)
    whole = float(times.sum())
    rows = [
        PartRow(part.words, part.kind, float(of_ranks.sum()) / whole if whole else None, *_spread(of_ranks))
        for part, of_ranks in found.items()
        if of_ranks.any()
    ]
    rows.sort(key=lambda row: (KINDS.index(row.kind), row.name.startswith("other"), -row.mean_s))
    return PhaseRow(name, ranks, *_spread(times), tuple(rows))


def _spread(ns: Times) -> tuple[float, float, float]:
    """Minimum, mean and maximum in seconds."""
    return float(ns.min()) / 1e9, float(ns.mean()) / 1e9, float(ns.max()) / 1e9
