"""How long each rank was there, and in which phases."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from weir.trace.at_a_time import covered
from weir.trace.batch import Batch
from weir.trace.model import Life, Trace

from .spans import NO_PHASE, OUTSIDE, Phases, Spans

Integers = NDArray[np.int64]


class Lifetimes:
    """A rank's main thread is there as long as its process, other threads from their first call to the end of
    their last one. While another process of the rank is there, the main thread waits for it, as shells do."""

    def __init__(self, trace: Trace, phases: Phases) -> None:
        self._trace, self._phases = trace, phases
        lanes, told = trace.lanes, {lane.rank for lane in trace.lanes} | {life.rank for life in trace.lives}
        # Of a trace that does not tell lives, ranks without calls are those that are missing.
        self.ranks = sorted(told if len(told) >= trace.ranks else told | {*range(trace.ranks)})
        self.rank = np.searchsorted(self.ranks, [lane.rank for lane in lanes]).astype(np.int64)
        """Of each lane, its place in `ranks`."""
        self._lives = _lives(trace.lives)
        self._first = np.full(len(lanes), np.iinfo(np.int64).max)
        self._last = np.full(len(lanes), np.iinfo(np.int64).min)
        self._main: dict[int, int] = {}
        for number in sorted(range(len(lanes)), key=self._standing):
            self._main[lanes[number].rank] = number
        self._others: dict[int, list[int]] = {}
        """By main threads: the others of their ranks."""
        for number, lane in enumerate(lanes):
            if self._main[lane.rank] != number:
                self._others.setdefault(self._main[lane.rank], []).append(number)

    @property
    def several(self) -> bool:
        """Has a rank more than its main thread?"""
        return len(self._trace.lanes) > len(self._main)

    def _standing(self, number: int) -> tuple[bool, bool, int, int]:
        """Greatest for a rank's main thread: one with marks, or the first one of the process that lasts
        longest."""
        begin, end = self._life(number)
        first = self._trace.lanes[number].thread <= 1
        return number in self._phases.of_lane, first, end - begin, -number

    def _life(self, number: int) -> tuple[int, int]:
        lane = self._trace.lanes[number]
        return self._lives.get((lane.rank, lane.process), (0, self._trace.run_ns))

    def spans(self, number: int) -> Spans:
        """Of a lane. One without marks of its own is in the phases of its rank's main thread."""
        of_lane = self._phases.of_lane
        main = self._main[self._trace.lanes[number].rank]
        return of_lane.get(number) or of_lane.get(main) or NO_PHASE

    def add(self, batch: Batch) -> None:
        """Look at when calls were made."""
        lanes = batch.lanes
        if len(lanes) == 1:
            lane = lanes[0]
            self._first[lane] = min(self._first[lane], batch.begin_ns.min())
            self._last[lane] = max(self._last[lane], batch.end_ns.max())
        else:
            np.minimum.at(self._first, batch.lane, batch.begin_ns)
            np.maximum.at(self._last, batch.lane, batch.end_ns)

    def times(self) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """For each phase, how long each rank was in it, in ns, and which were at all. Not in integers, which
        the times of a damaged trace may exceed."""
        shape = len(self._phases.names), len(self.ranks)
        times, seen = np.zeros(shape), np.zeros(shape, bool)
        for number, lane in enumerate(self._trace.lanes):
            began, ended = int(self._first[number]), int(self._last[number])
            if number == self._main[lane.rank]:
                life = self._life(number)
                began, ended = min(began, life[0]), max(ended, life[1])
            for phase, took in self.spans(number).pieces(began, ended) if began <= ended else ():
                times[phase, self.rank[number]] += took
                seen[phase, self.rank[number]] |= took > 0 or phase != OUTSIDE
        for number in self._main.values():
            for begin, end in self._waits(number):
                for phase, took in self.spans(number).pieces(begin, end):
                    times[phase, self.rank[number]] -= took
        longest: dict[int, int] = {}
        for (rank, _), (begun, gone) in self._lives.items():
            longest[rank] = max(longest.get(rank, 0), gone - begun)
        for at, rank in enumerate(self.ranks):
            if rank not in self._main:
                times[OUTSIDE, at] = longest.get(rank, self._trace.run_ns)
                seen[OUTSIDE, at] = True
        return times, seen

    def _waits(self, main: int) -> Iterator[tuple[int, int]]:
        """When a main thread's process is there and another one of its rank too."""
        lane = self._trace.lanes[main]
        spans = (
            (int(self._first[number]), int(self._last[number]))
            for number in self._others.get(main, ())
            if self._trace.lanes[number].process != lane.process
        )
        return covered(*self._life(main), spans)


def _lives(lives: Sequence[Life]) -> dict[tuple[int, int], tuple[int, int]]:
    """By rank and process; one that calls exec goes on under its number."""
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for life in lives:
        began, ended = found.get((life.rank, life.process), (life.began_ns, life.ended_ns))
        found[life.rank, life.process] = min(began, life.began_ns), max(ended, life.ended_ns)
    return found
