"""The steps of a phase before they are written: what ranks do, each with the ranks that do it."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.trace.pattern.nests import Levels
from weir.trace.pattern.operations.operation import Kind

Advance = tuple[int, int]
"""What an iteration adds: bytes to the offset, and to the file's index."""


@dataclass(frozen=True)
class What:
    """What a step does, but for where each rank begins."""

    kind: int
    mode: int
    length: int
    """0 of a request of several pieces: they tell."""
    file: int
    """In the first iteration."""
    levels: tuple[tuple[int, int], ...] = ()
    """Count and stride, from the slowest; of transfers."""
    advances: tuple[Advance, ...] = ()
    """Of the repetitions around it, from the outermost."""
    collective: bool = False
    """Do ranks make these requests together?"""
    together: bool = False
    """Is it one request, whose pieces the step tells rank by rank?"""

    @property
    def moves(self) -> bool:
        """Does it read or write?"""
        return self.kind <= Kind.WRITE

    @property
    def pieces(self) -> int:
        """How many operations it is, each time."""
        return math.prod(count for count, _ in self.levels)


@dataclass
class One:
    """A step that is no repetition."""

    what: What
    ranks: NDArray[np.int64]
    starts: NDArray[np.int64]
    """The first offset of each of the ranks."""
    shapes: NDArray[np.int64] | None = None
    """Of a request of several pieces: how they lie, for each of the ranks (PieceShapes)."""

    def only(self, which: slice | NDArray[np.int64]) -> "One":
        """Of some of the ranks."""
        shapes = None if self.shapes is None else self.shapes[which]
        return One(self.what, self.ranks[which], self.starts[which], shapes)


@dataclass
class Listed:
    """Transfers that no nest expresses."""

    kind: int
    file: int
    advances: tuple[Advance, ...]
    ranks: NDArray[np.int64]
    pieces: list[NDArray[np.int64]]
    """Of each rank, shape (n, 2): offset and length."""
    collective: bool = False


@dataclass
class Repeated:
    """Steps that come `count` times."""

    count: int
    body: "list[Step]"


Step = One | Listed | Repeated


def key_of(step: Step) -> Any:
    """Steps with equal keys do the same, but for ranks, starts and pieces; of repetitions only the count
    tells, since their bodies can be joined."""
    match step:
        case One():
            return step.what
        case Listed():
            return step.kind, step.file, step.advances, step.collective
        case Repeated():
            return step.count


def with_levels(what: What, levels: Levels, advances: tuple[Advance, ...]) -> What:
    """The same with more levels around those it has."""
    return replace(what, levels=(*levels, *what.levels), advances=advances)


DEEPEST = 8


def with_depth_limit(step: Step, deepest: int = DEEPEST) -> list[Step]:
    """The same in steps of which none is nested deeper."""
    if not isinstance(step, Repeated) or _depth(step) <= deepest:
        return [step]
    turns = [_in_iteration(one, turn) for turn in range(step.count) for one in step.body]
    return [part for one in turns for part in with_depth_limit(one, deepest)]


def _depth(step: Step) -> int:
    """Repetitions of a step; levels count, since where ranks begin anywhere they become repetitions."""
    match step:
        case Repeated():
            return 1 + max(map(_depth, step.body))
        case One():
            return len(step.what.levels) if len(step.ranks) > 1 else 0
        case _:
            return 0


def _in_iteration(step: Step, turn: int) -> Step:
    """What a step is at a turn of the outermost repetition around it."""
    match step:
        case Repeated():
            return Repeated(step.count, [_in_iteration(one, turn) for one in step.body])
        case One():
            (offset, files), *rest = step.what.advances
            what: What = replace(step.what, file=step.what.file + turn * files, advances=tuple(rest))
            return replace(step, what=what, starts=step.starts + (turn * offset if what.moves else 0))
        case Listed():
            (offset, files), *rest = step.advances
            moved = [piece + np.array([turn * offset, 0]) for piece in step.pieces]
            return replace(step, file=step.file + turn * files, advances=tuple(rest), pieces=moved)
