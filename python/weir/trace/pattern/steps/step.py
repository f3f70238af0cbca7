"""The steps of a phase before they are written: what ranks do, each with the ranks that do it."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from weir.trace.pattern.nests import Integers, Levels
from weir.trace.pattern.operations.operation import Kind

Advance = tuple[int, int]
"""What an iteration adds: bytes to the offset, and to the file's index."""


@dataclass(frozen=True)
class What:
    """What a step does, without where each rank begins."""

    kind: int
    mode: int
    length: int
    """0 for a request of several pieces."""
    file: int
    """In the first iteration."""
    levels: tuple[tuple[int, int], ...] = ()
    """Count and stride, from the slowest; of transfers."""
    advances: tuple[Advance, ...] = ()
    """Of the repetitions around it, from the outermost."""
    collective: bool = False
    """Are these collective requests?"""
    list_io: bool = False
    """Is it one request of several pieces, which the step lists rank by rank?"""

    @property
    def moves(self) -> bool:
        """Does it read or write?"""
        return self.kind <= Kind.WRITE

    @property
    def pieces(self) -> int:
        """How many operations it is, in each iteration."""
        return math.prod(count for count, _ in self.levels)


@dataclass
class One:
    """A single step, or a nest of equal transfers."""

    what: What
    ranks: Integers
    starts: Integers
    """The first offset of each of the ranks."""
    shapes: Integers | None = None
    """For list I/O: the shape of each rank's request (PieceShapes)."""

    def only(self, which: slice | Integers) -> "One":
        """Of some of the ranks."""
        shapes = None if self.shapes is None else self.shapes[which]
        return One(self.what, self.ranks[which], self.starts[which], shapes)


@dataclass
class Listed:
    """Transfers that are no nest."""

    kind: int
    file: int
    advances: tuple[Advance, ...]
    ranks: Integers
    pieces: list[Integers]
    """Of each rank, shape (n, 2): offset and length."""
    collective: bool = False


@dataclass
class Repeated:
    """A loop of `count` iterations."""

    count: int
    body: "list[Step]"


Step = One | Listed | Repeated


def key_of(step: Step) -> Any:
    """Equal for steps that differ in ranks, starts and pieces only; for repetitions the count alone, since
    their bodies can be joined."""
    match step:
        case One():
            return step.what
        case Listed():
            return step.kind, step.file, step.advances, step.collective
        case Repeated():
            return step.count


def with_levels(what: What, levels: Levels, advances: tuple[Advance, ...]) -> What:
    """With more levels around its own."""
    return replace(what, levels=(*levels, *what.levels), advances=advances)


DEEPEST = 8


def with_depth_limit(step: Step, deepest: int = DEEPEST) -> list[Step]:
    """The same as steps of which none is nested deeper; the outermost loops are unrolled."""
    if not isinstance(step, Repeated) or _depth(step) <= deepest:
        return [step]
    unrolled = [_in_iteration(one, i) for i in range(step.count) for one in step.body]
    return [part for one in unrolled for part in with_depth_limit(one, deepest)]


def _depth(step: Step) -> int:
    """Loops in a step; levels count, since they become loops where the starts of ranks are no nest."""
    match step:
        case Repeated():
            return 1 + max(map(_depth, step.body))
        case One():
            return len(step.what.levels) if len(step.ranks) > 1 else 0
        case _:
            return 0


def _in_iteration(step: Step, iteration: int) -> Step:
    """A step as it is in one iteration of the outermost loop around it."""
    match step:
        case Repeated():
            return Repeated(step.count, [_in_iteration(one, iteration) for one in step.body])
        case One():
            (offset, files), *rest = step.what.advances
            what: What = replace(step.what, file=step.what.file + iteration * files, advances=tuple(rest))
            return replace(step, what=what, starts=step.starts + (iteration * offset if what.moves else 0))
        case Listed():
            (offset, files), *rest = step.advances
            moved = [piece + np.array([iteration * offset, 0]) for piece in step.pieces]
            return replace(step, file=step.file + iteration * files, advances=tuple(rest), pieces=moved)
