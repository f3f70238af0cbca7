"""Joins the steps of ranks: what several do, each at its own offsets, is one step with a set of ranks."""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any

import numpy as np

from weir.distinct import distinct
from weir.trace.pattern.nests import Integers
from weir.trace.pattern.operations.operation import Kind, Operations
from weir.trace.pattern.steps.step import Listed, One, Repeated, Step, key_of

MOST_COMPARED = 4_000_000
"""Lists of steps are aligned if the product of their lengths is below this; else only at their ends."""


def join_ranks(of_ranks: Iterable[list[Step]]) -> list[Step]:
    """One list of steps that keeps the order of every rank. No two of the lists have a rank in common."""
    groups: dict[Any, list[list[Step]]] = {}
    for steps in of_ranks:
        groups.setdefault(tuple(map(_shape_of, steps)), []).append(steps)
    return _merged([_joined_alike(group) for group in groups.values()])


def _shape_of(step: Step) -> Any:
    """Equal for steps that differ in ranks and places only."""
    if isinstance(step, Repeated):
        return (step.count, *map(_shape_of, step.body))
    return key_of(step)


def _joined_alike(steps: list[list[Step]]) -> list[Step]:
    """The steps of ranks that differ in ranks and places only, as one list."""
    if len(steps) == 1:
        return steps[0]
    return [_joined_step(list(same)) for same in zip(*steps, strict=True)]


def _joined_step(same: list[Any]) -> Step:
    first = same[0]
    match first:
        case One():
            ranks, starts = (
                _concatenated(getattr(one, name) for one in same) for name in ("ranks", "starts")
            )
            shapes = _concatenated(one.shapes for one in same) if first.what.list_io else None
            return One(first.what, ranks, starts, shapes)
        case Listed():
            pieces = [piece for one in same for piece in one.pieces]
            return replace(first, ranks=_concatenated(one.ranks for one in same), pieces=pieces)
        case _:
            return Repeated(first.count, _joined_alike([one.body for one in same]))


def _concatenated(arrays: Iterable[Integers]) -> Integers:
    return np.concatenate(list(arrays))


def _merged(lists: list[list[Step]]) -> list[Step]:
    """The lists as one; equal steps of several lists are joined. No two have a rank in common."""
    numbers: dict[Any, int] = {}
    numbered = [[(numbers.setdefault(key_of(step), len(numbers)), step) for step in one] for one in lists]
    while len(numbered) > 1:  # pairwise: merging one after the other would take quadratic time
        odd = numbered[len(numbered) // 2 * 2 :]
        numbered = [_merged_two(*two) for two in zip(numbered[::2], numbered[1::2], strict=False)] + odd
    return [step for one in numbered for _, step in one]


Numbered = tuple[int, Step]
"""A step, and a number that stands for its key."""


def _merged_two(left: list[Numbered], right: list[Numbered]) -> list[Numbered]:
    merged: list[Numbered] = []
    for same, i, j, k, m in _alignment([number for number, _ in left], [number for number, _ in right]):
        if same:
            merged += [(n, _pair(a, b)) for (n, a), (_, b) in zip(left[i:j], right[k:m], strict=True)]
        else:
            merged += left[i:j] + right[k:m]
    return merged


def _pair(a: Step, b: Step) -> Step:
    if isinstance(a, Repeated) and isinstance(b, Repeated):
        return Repeated(a.count, _merged([a.body, b.body]))
    return _joined_step([a, b])


def _alignment(left: list[int], right: list[int]) -> Iterable[tuple[bool, int, int, int, int]]:
    """Ranges that are equal or not, as (equal, begin and end in left, begin and end in right)."""
    ends = range(min(len(left), len(right)))
    head = next((i for i in ends if left[i] != right[i]), len(ends))
    tail = next((i for i in range(len(ends) - head) if left[-1 - i] != right[-1 - i]), len(ends) - head)
    yield True, 0, head, 0, head
    yield from _alignment_between(left, right, head, tail)
    yield True, len(left) - tail, len(left), len(right) - tail, len(right)


def _alignment_between(
    left: list[int], right: list[int], head: int, tail: int
) -> Iterable[tuple[bool, int, int, int, int]]:
    """The ranges between the equal steps at both ends."""
    some, others = left[head : len(left) - tail], right[head : len(right) - tail]
    if len(some) * len(others) > MOST_COMPARED or set(some).isdisjoint(others):
        yield False, head, head + len(some), head, head + len(others)
        return
    for tag, i, j, k, m in SequenceMatcher(None, some, others, autojunk=False).get_opcodes():
        yield tag == "equal", head + i, head + j, head + k, head + m


def by_rank(step: Step) -> Step:
    """The same with its ranks in ascending order."""
    match step:
        case One():
            return step.only(np.argsort(step.ranks, kind="stable"))
        case Listed():
            order = np.argsort(step.ranks, kind="stable")
            return replace(step, ranks=step.ranks[order], pieces=[step.pieces[i] for i in order])
        case Repeated():
            return Repeated(step.count, [by_rank(one) for one in step.body])


def each_alone(steps: list[Step], ranks: Integers) -> list[Step]:
    """The steps of these ranks, which all make each of them, rank after rank."""
    return [_of_one(step, at) for at in range(len(ranks)) for step in steps]


def _of_one(step: Step, at: int) -> Step:
    match step:
        case One():
            return step.only(np.array([at]))
        case Listed():
            return replace(step, ranks=step.ranks[[at]], pieces=[step.pieces[at]])
        case Repeated():
            return Repeated(step.count, [_of_one(one, at) for one in step.body])


MOST_VISITED = 1_000_000


def opens_match_closes(steps: list[Step]) -> bool:
    """Does every open have a close of the same ranks? Loops are followed iteration by iteration; False where
    there are too many iterations to decide."""
    open_by: dict[int, list[bytes]] = defaultdict(list)
    for visited, (one, file) in enumerate(_opens_and_closes(steps, ())):
        if visited > MOST_VISITED:
            return False
        ranks = one.ranks.tobytes()
        if one.what.kind == Kind.OPEN:
            open_by[file].append(ranks)
        elif ranks in open_by[file]:
            open_by[file].remove(ranks)
        else:
            return False
    return not any(open_by.values())


def with_opens_split(steps: list[Step], together: Container[int]) -> list[Step]:
    """Opens and closes outside of loops taken apart, so that each open has a close of the same ranks; but for
    files that ranks use `together`."""
    open_at: dict[tuple[int, int], int] = {}
    others: dict[int, dict[int, int]] = defaultdict(dict)
    for at, step in enumerate(steps):
        if isinstance(step, One) and step.what.kind in (Kind.OPEN, Kind.CLOSE):
            for one in ((step.what.file, rank) for rank in step.ranks.tolist()):
                if step.what.kind == Kind.OPEN:
                    open_at[one] = at
                elif one[0] not in together and (opened := open_at.pop(one, None)) is not None:
                    others[at][one[1]], others[opened][one[1]] = opened, at
    return [part for at, step in enumerate(steps) for part in _split(step, others.get(at, {}))]


def _split(step: Step, others: dict[int, int]) -> Iterator[Step]:
    """By the number of each rank."""
    if not isinstance(step, One) or not others:
        yield step
        return
    numbers = np.array([others.get(rank, -1) for rank in step.ranks.tolist()])
    for number in np.unique(numbers):
        yield step.only(np.flatnonzero(numbers == number))


def _opens_and_closes(steps: list[Step], iterations: tuple[int, ...]) -> Iterator[tuple[One, int]]:
    """Opens and closes in the order of execution, with the number of their file."""
    for step in steps:
        if isinstance(step, Repeated):
            if any(one.what.kind in (Kind.OPEN, Kind.CLOSE) for one in _ones(step.body)):
                for iteration in range(step.count):
                    yield from _opens_and_closes(step.body, (*iterations, iteration))
        elif isinstance(step, One) and step.what.kind in (Kind.OPEN, Kind.CLOSE):
            advances = zip(step.what.advances, iterations, strict=True)
            yield step, step.what.file + sum(files * i for (_, files), i in advances)


def barriers_are_global(steps: list[Step], ranks: int) -> bool:
    """Do all ranks make every barrier?"""
    return all(len(one.ranks) == ranks for one in _ones(steps) if one.what.kind == Kind.BARRIER)


def _ones(steps: list[Step]) -> Iterator[One]:
    for step in steps:
        if isinstance(step, Repeated):
            yield from _ones(step.body)
        elif isinstance(step, One):
            yield step


def ranks_together(operations: Operations) -> dict[int, int]:
    """How many ranks make collective requests on each file."""
    some = operations[operations["collective"] & (operations["kind"] <= Kind.WRITE)]
    width = int(some["rank"].max(initial=0)) + 1
    return dict(Counter((distinct(some["file"] * np.int64(width) + some["rank"]) // width).tolist()))


def collectives_are_whole(steps: list[Step], together: Mapping[int, int]) -> bool:
    """Do all ranks that make collective requests on a file make each of them in steps that follow each
    other?"""
    for file, some in groupby(steps, key=_file_of_collective):
        if file is None:
            bodies = (step.body for step in some if isinstance(step, Repeated))
            if not all(collectives_are_whole(body, together) for body in bodies):
                return False
        else:
            times = Counter(rank for one in some if isinstance(one, One) for rank in one.ranks.tolist())
            if len(times) < together[file] or len({*times.values()}) > 1:
                return False
    return True


def _file_of_collective(step: Step) -> int | None:
    return step.what.file if isinstance(step, One) and step.what.collective and step.what.moves else None
