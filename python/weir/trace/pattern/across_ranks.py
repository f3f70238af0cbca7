"""Joins the steps of ranks: what many do at their own places is one step with a set of ranks."""

from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .steps import Listed, One, Repeated, Step, key_of

MOST_COMPARED = 4_000_000
"""Lists of steps are aligned if the product of their lengths is below this; else only at their ends."""


def join_ranks(of_ranks: Iterable[list[Step]]) -> list[Step]:
    """One list of steps in which every rank's own stand in their order. No two of the lists are of one
    rank."""
    groups: dict[Any, list[list[Step]]] = {}
    for steps in of_ranks:
        groups.setdefault(tuple(map(_shape_of, steps)), []).append(steps)
    joined: list[Step] = []
    for group in groups.values():
        joined = _merged(joined, _together(group))
    return joined


def _shape_of(step: Step) -> Any:
    """Equal for steps that differ in ranks and places only."""
    if isinstance(step, Repeated):
        return (step.count, *map(_shape_of, step.body))
    return key_of(step)


def _together(steps: list[list[Step]]) -> list[Step]:
    """Those of ranks that are alike, as one list."""
    if len(steps) == 1:
        return steps[0]
    return [_one_of(list(same)) for same in zip(*steps, strict=True)]


def _one_of(same: list[Any]) -> Step:
    first = same[0]
    match first:
        case One():
            return One(first.what, _joined(one.ranks for one in same), _joined(one.starts for one in same))
        case Listed():
            pieces = [piece for one in same for piece in one.pieces]
            return Listed(first.kind, first.file, first.advances, _joined(one.ranks for one in same), pieces)
        case _:
            return Repeated(first.count, _together([one.body for one in same]))


def _joined(arrays: Iterable[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate(list(arrays))


def _merged(left: list[Step], right: list[Step]) -> list[Step]:
    """Both lists as one, with what is equal in both once. They are of different ranks."""
    merged: list[Step] = []
    for same, i, j, k, m in _alignment([key_of(s) for s in left], [key_of(s) for s in right]):
        if same:
            merged += [_pair(a, b) for a, b in zip(left[i:j], right[k:m], strict=True)]
        else:
            merged += left[i:j] + right[k:m]
    return merged


def _pair(a: Step, b: Step) -> Step:
    if isinstance(a, Repeated) and isinstance(b, Repeated):
        return Repeated(a.count, _merged(a.body, b.body))
    return _one_of([a, b])


def _alignment(left: list[Any], right: list[Any]) -> Iterable[tuple[bool, int, int, int, int]]:
    """Stretches that are equal or not, as (equal, from and to in left, from and to in right)."""
    if len(left) * len(right) <= MOST_COMPARED:
        matcher = SequenceMatcher(None, left, right, autojunk=False)
        for tag, i, j, k, m in matcher.get_opcodes():
            yield (tag == "equal", i, j, k, m)
        return
    ends = range(min(len(left), len(right)))
    head = next((i for i in ends if left[i] != right[i]), len(ends))
    tail = next((i for i in range(len(ends) - head) if left[-1 - i] != right[-1 - i]), len(ends) - head)
    yield True, 0, head, 0, head
    yield False, head, len(left) - tail, head, len(right) - tail
    yield True, len(left) - tail, len(left), len(right) - tail, len(right)


def by_rank(step: Step) -> Step:
    """The same with its ranks in ascending order."""
    match step:
        case One():
            order = np.argsort(step.ranks, kind="stable")
            return One(step.what, step.ranks[order], step.starts[order])
        case Listed():
            order = np.argsort(step.ranks, kind="stable")
            return Listed(
                step.kind, step.file, step.advances, step.ranks[order], [step.pieces[i] for i in order]
            )
        case Repeated():
            return Repeated(step.count, [by_rank(one) for one in step.body])
