"""In which of its program's phases each thread of a trace is, and when."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weir.trace.lane import BATCH, Lane
from weir.trace.model import MARK, Trace

OUTSIDE = 0
"""The number of the time in no phase."""
MOST_PHASES = 40
"""Those of the longest time have numbers of their own; the others share the last one."""
REST = "all other phases"
_EARLIEST = np.iinfo(np.int64).min
_Turn = tuple[int, int | None, int]
"""Begin, end, and the index of its name in Trace.files; the end of a phase that never ended is None."""


@dataclass(frozen=True)
class Spans:
    """From each of `starts` on, up to the next, a thread is in a phase of this number."""

    starts: NDArray[np.int64]
    phase: NDArray[np.int64]

    def at(self, ns: NDArray[np.int64]) -> NDArray[np.int64]:
        """Indexes of the spans at these times."""
        return np.searchsorted(self.starts, ns, "right") - 1

    def pieces(self, begin: int, end: int) -> Iterator[tuple[int, int]]:
        """The phases between two times, each with its length."""
        first = max(0, int(np.searchsorted(self.starts, begin, "left")) - 1)  # with those of no length there
        last = int(np.searchsorted(self.starts, end, "right")) - 1
        for at in range(first, last + 1):
            since = max(begin, int(self.starts[at]))
            until = end if at == last else min(end, max(begin, int(self.starts[at + 1])))
            yield int(self.phase[at]), until - since


NO_PHASE = Spans(np.array([_EARLIEST]), np.array([OUTSIDE]))


@dataclass(frozen=True)
class Phases:
    """The phases of a trace: `names` by number, and the spans of the lanes that marked any."""

    names: tuple[str, ...]
    of_lane: Mapping[int, Spans]


def phases_of(trace: Trace) -> Phases:
    """All phases, numbered as they first began. Reads the marks alone."""
    turns = {number: found for number, lane in enumerate(trace.lanes) if (found := _turns(trace, lane))}
    names = _numbers([turn for found in turns.values() for turn in found], trace)
    numbers = {name: number for number, name in enumerate(names)}
    rest = numbers.get(REST, OUTSIDE)
    return Phases(
        tuple(names),
        {
            lane: _spans(
                [(begin, end, numbers.get(trace.files[name].name, rest)) for begin, end, name in found]
            )
            for lane, found in turns.items()
        },
    )


def _numbers(turns: Sequence[_Turn], trace: Trace) -> list[str]:
    took: Counter[str] = Counter()
    first: dict[str, int] = {}
    for begin, end, file in turns:
        name = trace.files[file].name
        took[name] += max(0, (trace.run_ns if end is None else end) - begin)
        first[name] = min(begin, first.get(name, begin))
    longest = {name for name, _ in took.most_common(MOST_PHASES)}
    kept = sorted((name for name in first if name in longest), key=lambda name: first[name])
    return ["", *kept, *([REST] if len(longest) < len(took) else [])]


def _turns(trace: Trace, lane: Lane) -> list[_Turn]:
    """Each turn of each phase of a thread. A phase that is left open ends with the one around it."""
    begins = [call.kind == MARK and call.name.endswith("_begin") for call in trace.calls]
    ends = [call.kind == MARK and call.name.endswith("_end") for call in trace.calls]
    found: list[_Turn] = []
    open_ones: list[tuple[int, int]] = []
    for begin, end, name, is_end in _marks(lane, np.array(begins), np.array(ends)):
        if not is_end:
            open_ones.append((begin, name))
            continue
        while open_ones and open_ones[-1][0] >= begin:
            inner = open_ones.pop()
            if inner != (begin, name):
                found.append((inner[0], end, inner[1]))
        found.append((begin, end, name))
    return found + [(begin, None, name) for begin, name in open_ones]


def _marks(
    lane: Lane, begins: NDArray[np.bool_], ends: NDArray[np.bool_]
) -> Iterator[tuple[int, int, int, bool]]:
    if not (begins | ends)[lane.call_index].any():
        return
    for start in range(0, len(lane.records), BATCH):
        stop = min(start + BATCH, len(lane.records))
        calls = lane.call_index[np.minimum(lane.records[start:stop]["call"], len(lane.call_index) - 1)]
        chosen = np.flatnonzero((begins | ends)[calls])
        if len(chosen):
            batch = lane.batch(0, start, stop)
            columns = batch.begin_ns, batch.end_ns, batch.file, ends[batch.call]
            yield from zip(*(column[chosen].tolist() for column in columns), strict=True)


def _spans(turns: Sequence[tuple[int, int | None, int]]) -> Spans:
    """The innermost phase at each time."""
    latest = np.iinfo(np.int64).max
    whole = [(begin, latest if end is None else end, number) for begin, end, number in turns]
    found = [(_EARLIEST, OUTSIDE)]
    around: list[tuple[int, int]] = []
    for begin, end, number in sorted(whole, key=lambda turn: (turn[0], -turn[1])):
        _leave(around, begin, found)
        around.append((min([end, *(outer for outer, _ in around[-1:])]), number))
        found.append((begin, number))
    _leave(around, latest - 1, found)
    starts, phase = np.array(found, np.int64).T
    return Spans(starts, phase)


def _leave(around: list[tuple[int, int]], until: int, found: list[tuple[int, int]]) -> None:
    """End the phases that end by then."""
    while around and around[-1][0] <= until:
        end, _ = around.pop()
        found.append((end, around[-1][1] if around else OUTSIDE))
