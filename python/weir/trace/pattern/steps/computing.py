"""Computing between calls, as far as a trace can tell."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.trace.pattern.operations.operation import OPERATION, Kind, Operations, RankTimes, running_max
from weir.trace.pattern.steps.fold import Sequence, Shapes, folded

ALIKE = 1.5
"""Times that differ by less than this factor from the next longer one are one class,"""
WIDEST = 4.0
"""as long as the class is no wider than this factor."""
UNEVEN, FEW = 2, 16
"""Pauses break what is regular if there are more elements with them than so many times those without, and
some."""
MOST_ELEMENTS = 100_000
"""Where there are more elements, little is regular that could be broken."""


@dataclass(frozen=True)
class Computing:
    """Times that a pattern takes as one."""

    median_s: float
    least_s: float
    most_s: float
    count: int


def with_computing(
    operations: Operations, others: NDArray[Any], least_ns: int
) -> tuple[Operations, list[Computing]]:
    """The same with a COMPUTE before each operation that a rank began so long after its last one had
    ended, calls of other kinds in between taken off. Its `length` is the number of its class. Where such
    pauses come so unevenly that they break what is regular, those count that are long in half of the turns
    of a repetition."""
    gap = _gaps(operations, others)
    if not (gap >= least_ns).any():
        return operations, []
    found = _inserted(operations, gap, gap >= least_ns, gap)
    plain, shapes = folded(operations)
    if len(plain) <= MOST_ELEMENTS and len(folded(found[0])[0]) > UNEVEN * len(plain) + FEW:
        steady = group_medians(gap, body_positions(operations, plain, shapes))
        found = _inserted(operations, steady, steady >= least_ns, gap)
    return found


def _inserted(
    operations: Operations, time: NDArray[np.int64], which: NDArray[np.bool_], real: NDArray[np.int64]
) -> tuple[Operations, list[Computing]]:
    """With a COMPUTE of this time before some operations; `real` is how long each pause was."""
    at = np.flatnonzero(which)
    classes, number = _classes(time[at], real[at])
    computes = np.zeros(len(at), OPERATION)
    for name in ("rank", "phase", "begin_ns"):
        computes[name] = operations[name][at]
    computes["end_ns"] = computes["begin_ns"]
    computes["kind"], computes["length"] = Kind.COMPUTE, number
    return np.insert(operations, at, computes), classes


def _gaps(rows: Operations, others: NDArray[Any]) -> NDArray[np.int64]:
    """Nanoseconds of each operation between the end of all before it on its rank and its begin."""
    gap = np.zeros(len(rows), np.int64)
    later = np.flatnonzero(rows["rank"][1:] == rows["rank"][:-1]) + 1
    rank, begin = rows["rank"][later], rows["begin_ns"][later]
    done = running_max(rows["end_ns"], rows["rank"])[later - 1]
    gap[later] = begin - done - _busy(others, rank, done, begin)
    return gap


def _busy(
    spans: NDArray[Any], rank: NDArray[np.int64], begin: NDArray[np.int64], end: NDArray[np.int64]
) -> NDArray[np.int64] | int:
    """How much of each time its rank spent in these calls, which are by rank and begin."""
    if not len(spans):
        return 0
    own = spans["rank"]
    until = running_max(spans["end_ns"], own)
    fresh = spans["begin_ns"].copy()
    follows = own[1:] == own[:-1]
    fresh[1:][follows] = np.maximum(fresh[1:], until[:-1])[follows]
    total = np.append(0, np.cumsum(until - fresh))
    moments = RankTimes(np.append(own, rank), spans["begin_ns"], begin, end)
    begins = moments.of(own, spans["begin_ns"])

    def before(time: NDArray[np.int64]) -> NDArray[np.int64]:
        begun = np.searchsorted(begins, moments.of(rank, time))
        last = np.maximum(begun - 1, 0)
        ahead = np.where((begun > 0) & (own[last] == rank), np.maximum(until[last] - time, 0), 0)
        spent: NDArray[np.int64] = total[begun] - ahead
        return spent

    return before(end) - before(begin)


def _classes(time: NDArray[np.int64], real: NDArray[np.int64]) -> tuple[list[Computing], NDArray[np.int64]]:
    """Times that are alike, and the class of each."""
    order = np.argsort(time, kind="stable")
    ascending = time[order]
    number = np.zeros(len(time), np.int64)
    breaks = np.flatnonzero(ascending[1:] > ALIKE * ascending[:-1]) + 1
    classes: list[Computing] = []
    for begin, end in pairwise([0, *breaks.tolist(), len(time)]):
        at = begin
        while at < end:
            until = min(end, int(np.searchsorted(ascending, WIDEST * ascending[at], "right")))
            number[order[at:until]] = len(classes)
            some = np.sort(real[order[at:until]]) * 1e-9
            median = float(np.median(ascending[at:until])) * 1e-9
            classes.append(Computing(median, float(some[0]), float(some[-1]), until - at))
            at = until
    return classes, number


def body_positions(operations: Operations, sequence: Sequence, shapes: Shapes) -> NDArray[np.int64]:
    """A number for each operation: equal for those that are the same one of a repetition's body, on all
    ranks that do the same in a phase."""
    known: dict[int, NDArray[np.int64]] = {}
    begun: dict[tuple[int, int, int], int] = {}
    found = np.zeros(len(operations), np.int64)
    segment, index, total = -1, 0, 0
    phases = operations["phase"][sequence.first].tolist()
    columns = zip(
        sequence.segment.tolist(), phases, sequence.shape.tolist(), sequence.first.tolist(), strict=True
    )
    for own, phase, shape, first in columns:
        index = index + 1 if own == segment else 0
        segment = own
        inside = _positions_in(shape, shapes, known)
        base = begun.setdefault((phase, index, shape), total)
        total += int(inside.max()) + 1 if base == total else 0
        found[first : first + len(inside)] = base + inside
    return found


def _positions_in(shape: int, shapes: Shapes, known: dict[int, NDArray[np.int64]]) -> NDArray[np.int64]:
    """Of each operation of a shape, its number in the body of all repetitions around it."""
    if shape < shapes.leaves:
        return np.zeros(1, np.int64)
    if shape not in known:
        repetition = shapes.repetitions[shape - shapes.leaves]
        parts, base = [], 0
        for one in repetition.body:
            part = _positions_in(one, shapes, known)
            parts.append(part + base)
            base += int(part.max()) + 1
        known[shape] = np.tile(np.concatenate(parts), repetition.count)
    return known[shape]


def group_medians(values: NDArray[np.int64], group: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of each value, the median (the lower of two) of its group."""
    order = np.lexsort((values, group))
    numbers, first, counts = np.unique(group[order], return_index=True, return_counts=True)
    del numbers
    middle: NDArray[np.int64] = values[order][first + (counts - 1) // 2]
    result = np.empty_like(values)
    result[order] = np.repeat(middle, counts)
    return result
