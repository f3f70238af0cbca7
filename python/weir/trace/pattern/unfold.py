"""From folded elements to steps: of one rank in one phase at a time."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .fold import Sequence, Shapes
from .nest import nest_of
from .operations import Kind, Operations, starts_of_groups
from .steps import Listed, One, Repeated, Step, What, with_levels

SMALL = 16
"""A nest of fewer operations, among others such, is listed with them."""
FEW = 64
"""So few operations are no list yet: other ranks may do the same, further on."""


class Unfolder:
    """Makes steps of elements. The operations must be those that were folded."""

    def __init__(self, operations: Operations, shapes: Shapes) -> None:
        self._ops = operations
        self._kind, self._file = operations["kind"], operations["file"]
        self._offset, self._length = operations["offset"], operations["length"]
        self._shapes = shapes
        self._listable: dict[int, bool] = {}

    def segments(self, sequence: Sequence) -> Iterator[tuple[int, int, list[Step]]]:
        """Phase, rank and steps of each segment."""
        bounds = [*starts_of_groups(sequence.segment).tolist(), len(sequence)]
        groups = self._groups(sequence)
        shape, first = sequence.shape.tolist(), sequence.first.tolist()
        for begin, end in pairwise(bounds):
            rank, phase = int(self._ops["rank"][first[begin]]), int(self._ops["phase"][first[begin]])
            ranks = np.array([rank])
            steps: list[Step] = []
            at = begin
            while at < end:
                until = groups.get(at, at + 1)
                whole = self._listed(sequence, at, until, ranks) if until > at + 1 else None
                if whole is None:
                    whole = [self._step(shape[i], first[i], (), ranks) for i in range(at, until)]
                steps += whole
                at = until
            yield phase, rank, join_neighbours(steps)

    def _groups(self, sequence: Sequence) -> dict[int, int]:
        """Stretches of two and more elements that may be one list: from the first to past the last."""
        numbers, inverse = np.unique(sequence.shape, return_inverse=True)
        example = np.zeros(len(numbers), np.int64)
        example[inverse] = sequence.first
        may = np.array(
            [self._may_be_listed(int(s), int(a)) for s, a in zip(numbers, example, strict=True)], bool
        )
        small = may[inverse.reshape(-1)] if len(numbers) else np.zeros(0, bool)
        kind, file = self._kind[sequence.first], self._file[sequence.first]
        begin = starts_of_groups(small, sequence.segment, kind, file)
        end = np.append(begin[1:], len(sequence))
        chosen = small[begin] & (end - begin > 1) if len(begin) else np.zeros(0, bool)
        return dict(zip(begin[chosen].tolist(), end[chosen].tolist(), strict=True))

    def _may_be_listed(self, shape: int, at: int) -> bool:
        """Is it a small nest of transfers on one file?"""
        if shape < self._shapes.leaves:
            return shape < self._shapes.transfers
        repetition = self._shapes.repetitions[shape - self._shapes.leaves]
        size = self._shapes.operations[shape]
        if size >= SMALL or len(repetition.body) > 1:
            return False
        same_file = self._file[at] == self._file[at + size // repetition.count]
        return bool(same_file) and self._may_be_listed(repetition.body[0], at)

    def _listed(
        self, sequence: Sequence, begin: int, end: int, ranks: NDArray[np.int64]
    ) -> list[Step] | None:
        """These elements as one step, if they are a nest or many."""
        first = int(sequence.first[begin])
        last = int(sequence.first[end - 1]) + self._shapes.operations[int(sequence.shape[end - 1])]
        offset, length = self._offset[first:last], self._length[first:last]
        kind, file = int(self._kind[first]), int(self._file[first])
        levels = nest_of(np.ascontiguousarray(offset)) if (length == length[0]).all() else None
        if levels is not None:
            return [One(What(kind, 0, int(length[0]), file, tuple(levels)), ranks, offset[:1].copy())]
        if last - first <= FEW:
            return None
        return [Listed(kind, file, (), ranks, [np.column_stack([offset, length])])]

    def _step(self, shape: int, at: int, around: tuple[int, ...], ranks: NDArray[np.int64]) -> Step:
        """`around`: operations of an iteration of each repetition around it, the outermost first."""
        if shape < self._shapes.leaves:
            advances = tuple(
                (int(self._offset[at + n] - self._offset[at]), int(self._file[at + n] - self._file[at]))
                for n in around
            )
            op = self._ops[at]
            what = What(int(op["kind"]), int(op["mode"]), int(op["length"]), int(op["file"]), (), advances)
            return One(what, ranks, self._offset[at : at + 1].copy())
        repetition = self._shapes.repetitions[shape - self._shapes.leaves]
        inner = (*around, self._shapes.operations[shape] // repetition.count)
        body = []
        for one in repetition.body:
            body.append(self._step(one, at, inner, ranks))
            at += self._shapes.operations[one]
        return _simpler(Repeated(repetition.count, join_neighbours(body)))


def _simpler(step: Repeated) -> Step:
    """A repetition of one transfer on one file is a level of it."""
    if len(step.body) == 1 and isinstance(one := step.body[0], One) and one.what.moves:
        *advances, (stride, files) = one.what.advances
        if files == 0:
            return One(with_levels(one.what, [(step.count, stride)], tuple(advances)), one.ranks, one.starts)
    return step


def join_neighbours(steps: list[Step]) -> list[Step]:
    """Join equal transfers that follow each other in a nest of strides."""
    joined: list[Step] = []
    at = 0
    while at < len(steps):
        one = steps[at]
        until = at + 1
        if isinstance(one, One) and one.what.kind in (Kind.READ, Kind.WRITE):
            while until < len(steps) and isinstance(other := steps[until], One) and other.what == one.what:
                until += 1
        joined += _as_nest(steps[at:until]) if until > at + 1 else [one]
        at = until
    return joined


def _as_nest(steps: list[Step]) -> list[Step]:
    ones = [step for step in steps if isinstance(step, One)]
    levels = nest_of(np.concatenate([one.starts for one in ones]))
    if levels is None:
        return steps
    first = ones[0]
    return [One(with_levels(first.what, levels, first.what.advances), first.ranks, first.starts)]
