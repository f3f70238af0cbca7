"""Computing between calls, as far as a trace shows it."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.trace.pattern.nests import Flags, Integers
from weir.trace.pattern.operations.operation import OPERATION, Kind, Operations, RankTimes, running_max
from weir.trace.pattern.steps.find_loops import Sequence, Shapes, folded

ALIKE = 1.5
"""Times within this factor of the next longer one are one class,"""
WIDEST = 4.0
"""as long as the class is no wider than this factor."""
UNEVEN, FEW = 2, 16
"""Pauses hide what is regular if folding with them gives UNEVEN times the elements without them, and FEW
more."""
MOST_ELEMENTS = 100_000
"""With more elements than this, little is regular that pauses could hide."""


@dataclass(frozen=True)
class Computing:
    """A class of times, of which the pattern has the median."""

    median_s: float
    least_s: float
    most_s: float
    count: int


def with_computing(
    operations: Operations, others: NDArray[Any], least_ns: int | None
) -> tuple[Operations, list[Computing], float]:
    """With a COMPUTE before each operation that began `least_ns` or more after the end of the rank's last
    one, without the time of other calls in between. Its `length` is the number of its class. Where such
    pauses are so uneven that they hide what is regular, only those count that are long in half of the
    iterations of a loop. And how long the other pauses are, in seconds, of the rank with most."""
    gap = _gaps(operations, others)
    which = gap >= least_ns if least_ns is not None else np.zeros(len(gap), bool)
    if least_ns is None or not which.any():
        return operations, [], _left_out_s(operations, gap, which)
    found = _inserted(operations, gap, which, gap)
    plain, shapes = folded(operations)
    if len(plain) <= MOST_ELEMENTS and len(folded(found[0])[0]) > UNEVEN * len(plain) + FEW:
        steady = group_medians(gap, body_positions(operations, plain, shapes))
        which = steady >= least_ns
        found = _inserted(operations, steady, which, gap)
    return *found, _left_out_s(operations, gap, which)


def _left_out_s(operations: Operations, gap: Integers, kept: Flags) -> float:
    if not len(gap):
        return 0.0
    _, number = np.unique(operations["rank"], return_inverse=True)
    of_ranks = np.bincount(number.reshape(-1), np.where(kept, 0, np.maximum(gap, 0)))
    return float(of_ranks.max()) * 1e-9


def _inserted(
    operations: Operations, time: Integers, which: Flags, real: Integers
) -> tuple[Operations, list[Computing]]:
    """With a COMPUTE of this time before some operations; `real` is how long each pause was."""
    at = np.flatnonzero(which)
    classes, number = _classes(time[at], real[at])
    computes = np.zeros(len(at), OPERATION)
    for name in ("rank", "phase", "stage", "begin_ns"):
        computes[name] = operations[name][at]
    computes["end_ns"] = computes["begin_ns"]
    computes["kind"], computes["length"] = Kind.COMPUTE, number
    return np.insert(operations, at, computes), classes


def _gaps(rows: Operations, others: NDArray[Any]) -> Integers:
    """Nanoseconds from the end of all operations before each on its rank to its begin."""
    gap = np.zeros(len(rows), np.int64)
    later = np.flatnonzero(rows["rank"][1:] == rows["rank"][:-1]) + 1
    rank, begin = rows["rank"][later], rows["begin_ns"][later]
    done = running_max(rows["end_ns"], rows["rank"])[later - 1]
    gap[later] = begin - done - _busy(others, rank, done, begin)
    return gap


def _busy(spans: NDArray[Any], rank: Integers, begin: Integers, end: Integers) -> Integers | int:
    """How much of each interval its rank spent in these calls, which are by rank and begin."""
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

    def before(time: Integers) -> Integers:
        begun = np.searchsorted(begins, moments.of(rank, time))
        last = np.maximum(begun - 1, 0)
        ahead = np.where((begun > 0) & (own[last] == rank), np.maximum(until[last] - time, 0), 0)
        spent: Integers = total[begun] - ahead
        return spent

    return before(end) - before(begin)


def _classes(time: Integers, real: Integers) -> tuple[list[Computing], Integers]:
    """Classes of similar times, and the class of each."""
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


def body_positions(operations: Operations, sequence: Sequence, shapes: Shapes) -> Integers:
    """A number for each operation: equal for the same operation of a loop's body in all iterations, on all
    ranks that do the same in a phase."""
    known: dict[int, Integers] = {}
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


def _positions_in(shape: int, shapes: Shapes, known: dict[int, Integers]) -> Integers:
    """Of each operation of a shape, its number in the body of all loops around it."""
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


def group_medians(values: Integers, group: Integers) -> Integers:
    """Of each value, the median (the lower of two) of its group."""
    order = np.lexsort((values, group))
    _, first, counts = np.unique(group[order], return_index=True, return_counts=True)
    middle: Integers = values[order][first + (counts - 1) // 2]
    result = np.empty_like(values)
    result[order] = np.repeat(middle, counts)
    return result
