"""From folded elements to steps: for all ranks at once that do the same in a phase."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from weir.trace.pattern.nests import Integers, Levels, has_nest, nest_of
from weir.trace.pattern.operations.operation import Kind, Operations, starts_of_groups
from weir.trace.pattern.operations.views import ONE_PIECE
from weir.trace.pattern.steps.find_loops import Sequence, Shapes
from weir.trace.pattern.steps.step import Listed, One, Repeated, Step, What, with_levels

SMALL = 16
"""A nest of fewer operations is listed with its neighbours of this kind."""
FEW = 64
"""Fewer operations are no list yet: other ranks may do the same at other offsets."""


@dataclass(frozen=True)
class SimilarSegments:
    """Segments whose elements do the same on the same files, each at its own offsets."""

    begin: int
    """The first one's first element,"""
    end: int
    """and past its last."""
    ranks: Integers
    shift: Integers
    """How many operations each one is behind the first."""

    def only(self, which: Integers) -> "SimilarSegments":
        """Some of the segments; elements and shifts stay relative to the original first one."""
        return SimilarSegments(self.begin, self.end, self.ranks[which], self.shift[which])


class _StridesDiffer(Exception):
    """Similar segments have other strides, and one of them is a nest: they need steps of their own."""


class Unfolder:
    """Makes steps of elements. The operations must be those that were folded."""

    def __init__(self, operations: Operations, shapes: Shapes) -> None:
        self._ops = operations
        self._kind, self._file = (np.ascontiguousarray(operations[name]) for name in ("kind", "file"))
        self._offset, self._length = operations["offset"], operations["length"]
        self._shapes = shapes

    def segments(self, sequence: Sequence) -> Iterator[tuple[int, Integers, list[Step]]]:
        """Phase, ranks and steps of each group of similar segments."""
        groups = self._groups(sequence)
        for alike in self._alike(sequence):
            phase = int(self._ops["phase"][sequence.first[alike.begin]])
            try:
                yield phase, alike.ranks, self._steps(sequence, groups, alike)
            except _StridesDiffer:
                for some in self._with_equal_strides(sequence, alike):
                    yield phase, some.ranks, self._steps(sequence, groups, some)

    def _alike(self, sequence: Sequence) -> list[SimilarSegments]:
        """Groups of segments that do the same on the same files in a phase."""
        bounds = [*starts_of_groups(sequence.segment).tolist(), len(sequence)]
        first = np.append(sequence.first, len(self._ops))[bounds]
        phase = self._ops["phase"][first[:-1]].tolist()
        found: dict[tuple[int, bytes, bytes], list[int]] = {}
        of_operations = pairwise(first.tolist())
        for number, ((begin, end), (low, high)) in enumerate(
            zip(pairwise(bounds), of_operations, strict=True)
        ):
            key = phase[number], sequence.shape[begin:end].tobytes(), self._file[low:high].tobytes()
            found.setdefault(key, []).append(number)
        return [
            SimilarSegments(
                bounds[same[0]],
                bounds[same[0] + 1],
                self._ops["rank"][first[same]],
                first[same] - first[same[0]],
            )
            for same in found.values()
        ]

    def _with_equal_strides(self, sequence: Sequence, alike: SimilarSegments) -> Iterator[SimilarSegments]:
        """Subgroups that also have the same strides from each transfer to the next on its file."""
        low, last = int(sequence.first[alike.begin]), alike.end - 1
        high = int(sequence.first[last]) + self._shapes.operations[int(sequence.shape[last])]
        moves = self._kind[low:high] <= Kind.WRITE
        goes_on = moves[1:] & moves[:-1] & (np.diff(self._file[low:high]) == 0)
        at = np.flatnonzero(goes_on) + low + alike.shift[:, None]
        _, number = np.unique(self._offset[at + 1] - self._offset[at], axis=0, return_inverse=True)
        number = number.reshape(-1)
        order = np.argsort(number, kind="stable")
        for which in np.split(order, np.flatnonzero(np.diff(number[order])) + 1):
            yield alike.only(which)

    def _steps(self, sequence: Sequence, groups: dict[int, int], alike: SimilarSegments) -> list[Step]:
        steps: list[Step] = []
        at = alike.begin
        while at < alike.end:
            until = groups.get(at, at + 1)
            whole = self._listed(sequence, at, until, alike) if until > at + 1 else None
            if whole is None:
                shape, first = sequence.shape, sequence.first
                whole = [self._step(int(shape[i]), int(first[i]), (), alike) for i in range(at, until)]
            steps += whole
            at = until
        return join_neighbours(steps)

    def _groups(self, sequence: Sequence) -> dict[int, int]:
        """Runs of two and more elements that may be one list: from the first to past the last."""
        example = np.full(int(sequence.shape.max(initial=-1)) + 1, -1)
        example[sequence.shape] = sequence.first
        may = np.array(
            [at >= 0 and self._may_be_listed(s, at) for s, at in enumerate(example.tolist())], bool
        )
        small = may[sequence.shape]
        columns = (self._kind, self._file, self._ops["collective"])
        begin = starts_of_groups(small, sequence.segment, *(one[sequence.first] for one in columns))
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

    def _listed(self, sequence: Sequence, begin: int, end: int, alike: SimilarSegments) -> list[Step] | None:
        """These elements as one step, if they are a nest, or many."""
        first = int(sequence.first[begin])
        last = int(sequence.first[end - 1]) + self._shapes.operations[int(sequence.shape[end - 1])]
        offset, length = self._offset[np.arange(first, last) + alike.shift[:, None]], self._length[first:last]
        kind, file = int(self._kind[first]), int(self._file[first])
        levels = _levels_of_all(offset) if (length == length[0]).all() else None
        if levels is not None:
            what = What(
                kind, 0, int(length[0]), file, tuple(levels), (), bool(self._ops["collective"][first])
            )
            return [One(what, alike.ranks, offset[:, 0].copy())]
        if last - first <= FEW:
            return None
        pieces = [np.column_stack([places, length]) for places in offset]
        return [Listed(kind, file, (), alike.ranks, pieces, bool(self._ops["collective"][first]))]

    def _step(self, shape: int, at: int, around: tuple[int, ...], alike: SimilarSegments) -> Step:
        """`around`: operations in an iteration of each loop around it, the outermost first."""
        if shape < self._shapes.leaves:
            advances = tuple(
                (int(self._offset[at + n] - self._offset[at]), int(self._file[at + n] - self._file[at]))
                for n in around
            )
            op = self._ops[at]
            kind, shape_of_pieces = int(op["kind"]), int(op["shape"])
            list_io = kind <= Kind.WRITE and shape_of_pieces != ONE_PIECE
            what = What(
                kind,
                int(op["mode"]),
                0 if list_io else int(op["length"]),
                int(op["file"]),
                (),
                advances,
                kind <= Kind.WRITE and bool(op["collective"]),
                list_io,
            )
            shapes = np.full(len(alike.ranks), shape_of_pieces) if list_io else None
            return One(what, alike.ranks, self._offset[at + alike.shift], shapes)
        repetition = self._shapes.repetitions[shape - self._shapes.leaves]
        inner = (*around, self._shapes.operations[shape] // repetition.count)
        body = []
        for one in repetition.body:
            body.append(self._step(one, at, inner, alike))
            at += self._shapes.operations[one]
        return _simpler(Repeated(repetition.count, join_neighbours(body)))


def _simpler(step: Repeated) -> Step:
    """A loop of one transfer on one file becomes a level of it."""
    if (
        len(step.body) == 1
        and isinstance(one := step.body[0], One)
        and one.what.moves
        and not one.what.list_io
    ):
        *advances, (stride, files) = one.what.advances
        if files == 0:
            return One(with_levels(one.what, [(step.count, stride)], tuple(advances)), one.ranks, one.starts)
    return step


def join_neighbours(steps: list[Step]) -> list[Step]:
    """Join equal consecutive transfers that are a nest of strides."""
    joined: list[Step] = []
    at = 0
    while at < len(steps):
        one = steps[at]
        until = at + 1
        if isinstance(one, One) and one.what.moves and not one.what.list_io:
            while until < len(steps) and isinstance(other := steps[until], One) and other.what == one.what:
                until += 1
        joined += _as_nest(steps[at:until]) if until > at + 1 else [one]
        at = until
    return joined


def _as_nest(steps: list[Step]) -> list[Step]:
    ones = [step for step in steps if isinstance(step, One)]
    levels = _levels_of_all(np.stack([one.starts for one in ones], axis=1))
    if levels is None:
        return steps
    first = ones[0]
    return [One(with_levels(first.what, levels, first.what.advances), first.ranks, first.starts)]


def _levels_of_all(places: Integers) -> Levels | None:
    """The nest that each row is; None if none is. Raises _StridesDiffer where the rows' nests differ."""
    strides = np.diff(places, axis=1)
    if (strides == strides[0]).all():
        return nest_of(places[0])
    if has_nest(places):
        raise _StridesDiffer
    return None
