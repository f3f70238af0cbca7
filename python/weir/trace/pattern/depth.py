"""Repetitions nested deeper than a pattern may have them: the outermost are written out."""

from dataclasses import replace

import numpy as np

from .steps import Listed, One, Repeated, Step, What

DEEPEST = 8


def not_too_deep(step: Step, deepest: int = DEEPEST) -> list[Step]:
    """The same in steps of which none is nested deeper."""
    if not isinstance(step, Repeated) or _depth(step) <= deepest:
        return [step]
    turns = [_at(one, turn) for turn in range(step.count) for one in step.body]
    return [part for one in turns for part in not_too_deep(one, deepest)]


def _depth(step: Step) -> int:
    """Repetitions of a step; levels count, since where ranks begin anywhere they become repetitions."""
    match step:
        case Repeated():
            return 1 + max(map(_depth, step.body))
        case One():
            return len(step.what.levels) if len(step.ranks) > 1 else 0
        case _:
            return 0


def _at(step: Step, turn: int) -> Step:
    """What a step is at a turn of the outermost repetition around it."""
    match step:
        case Repeated():
            return Repeated(step.count, [_at(one, turn) for one in step.body])
        case One():
            (offset, files), *rest = step.what.advances
            what: What = replace(step.what, file=step.what.file + turn * files, advances=tuple(rest))
            return replace(step, what=what, starts=step.starts + (turn * offset if what.moves else 0))
        case Listed():
            (offset, files), *rest = step.advances
            moved = [piece + np.array([turn * offset, 0]) for piece in step.pieces]
            return replace(step, file=step.file + turn * files, advances=tuple(rest), pieces=moved)
