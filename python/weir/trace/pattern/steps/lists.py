"""Irregular transfers: where neighbours on one file are no nest of strides, they become lists, one a rank."""

from collections.abc import Callable, Iterator

import numpy as np

from weir.trace.pattern.nests import Integers, displacements, nest_of, rank_sets
from weir.trace.pattern.steps.step import Advance, Listed, One, Repeated, Step

MANY = 8
"""More steps of the same ranks than this, one after the other on one file, are a list."""
DIFFERENT = 4
"""More steps than this that follow each other, each of other ranks, are a list."""
PIECES = 64
"""As long as they have no more pieces than this on average."""
JUMPS = 2
"""Up to so many jumps in the displacements of ranks make steps of their own."""

Transfers = One | Listed


def with_lists(steps: list[Step]) -> list[Step]:
    """Steps of a phase with irregular transfers as lists. Collective requests of different ranks become one
    step where they can."""
    steps = [_inside(step) for step in steps]
    steps = [part for step in steps for part in _split(step)]
    steps = [one for group in _runs(steps, _same_ranks) for one in _of_same_ranks(group)]
    return [one for group in _runs(steps, _other_ranks) for one in _of_other_ranks(group)]


def _inside(step: Step) -> Step:
    return Repeated(step.count, with_lists(step.body)) if isinstance(step, Repeated) else step


def _split(step: Step) -> list[Step]:
    """A step for each run of ranks with even displacements, where there are few: as where each rank reads
    what its neighbour wrote."""
    if not isinstance(step, One) or step.what.list_io or step.what.collective or is_nest(step):
        return [step]
    cuts = rank_sets(step.starts)
    if len(cuts) > JUMPS + 1:
        return [step]
    return [One(step.what, step.ranks[cut], step.starts[cut]) for cut in cuts]


def _runs(steps: list[Step], joins: Callable[[set[int], Transfers], bool]) -> Iterator[list[Step]]:
    """Consecutive transfers on one file that can be joined; any other step by itself."""
    run: list[Step] = []
    ranks: set[int] = set()
    for step in steps:
        target = _target(step)
        if run and (target is None or target != _target(run[0]) or not joins(ranks, _transfers(step))):
            yield run
            run, ranks = [], set()
        run.append(step)
        if target is not None:
            ranks.update(_transfers(step).ranks.tolist())
    if run:
        yield run


def _target(step: Step) -> tuple[int, int, tuple[Advance, ...], bool] | None:
    """Verb, file, advances and collectivity of what may be listed."""
    match step:
        case Listed():
            return step.kind, step.file, step.advances, step.collective
        case One() if step.what.moves and not step.what.list_io:
            return step.what.kind, step.what.file, step.what.advances, step.what.collective
        case _:
            return None


def _transfers(step: Step) -> Transfers:
    assert isinstance(step, One | Listed)
    return step


def _same_ranks(ranks: set[int], step: Transfers) -> bool:
    return len(ranks) == len(step.ranks) and ranks.issuperset(step.ranks.tolist())


def _other_ranks(ranks: set[int], step: Transfers) -> bool:
    return ranks.isdisjoint(step.ranks.tolist())


def _of_same_ranks(steps: list[Step]) -> list[Step]:
    """A list in place of many steps, or of some that would be lists each."""
    if len(steps) == 1:
        return steps
    found = [_transfers(step) for step in steps]
    pieces = sum(_pieces(step) for step in found)
    irregular = any(isinstance(step, Listed) or not is_nest(step) for step in found)
    if (irregular or len(steps) > MANY) and pieces <= PIECES * len(steps):
        return [_list_of(found, found[0].ranks)]
    return steps


def _of_other_ranks(steps: list[Step]) -> list[Step]:
    target = _target(steps[0])
    if len(steps) <= (1 if target is not None and target[-1] else DIFFERENT):
        return steps
    found = [_transfers(step) for step in steps]
    if sum(map(_pieces, found)) > PIECES * len(steps):
        return steps
    return [_list_of(found, np.sort(np.concatenate([step.ranks for step in found])))]


def is_nest(step: One) -> bool:
    """Are the ranks displaced by a nest of strides?"""
    return nest_of(step.starts) is not None


def _pieces(step: Transfers) -> int:
    """Of one rank, on average."""
    if isinstance(step, Listed):
        return sum(map(len, step.pieces)) // len(step.ranks)
    return step.what.pieces


def _list_of(steps: list[Transfers], ranks: Integers) -> Listed:
    """The pieces of these ranks in all of the steps, in their order."""
    pieces: dict[int, list[Integers]] = {int(rank): [] for rank in ranks}
    for step in steps:
        of_ranks = step.pieces if isinstance(step, Listed) else _places(step)
        for rank, some in zip(step.ranks.tolist(), of_ranks, strict=True):
            pieces[rank].append(some)
    kind, file, advances, collective = _target(steps[0]) or (0, 0, (), False)
    return Listed(kind, file, advances, ranks, [np.concatenate(some) for some in pieces.values()], collective)


def _places(step: One) -> list[Integers]:
    """Of each rank, the pieces of its nest."""
    offsets = step.starts[:, None] + displacements(step.what.levels)
    return list(np.stack([offsets, np.full_like(offsets, step.what.length)], axis=2))
