"""Checks that ranks that open a file together close it together, as a pattern must."""

from collections import defaultdict
from collections.abc import Iterator

from .operations import Kind
from .steps import One, Repeated, Step


def are_whole(steps: list[Step]) -> bool:
    """Has every open a close of the same ranks, and every barrier all ranks that take part in the phase?"""
    open_by: dict[tuple[int, tuple[int, ...]], list[bytes]] = defaultdict(list)
    for one in _ones(steps):
        ranks = one.ranks.tobytes()
        where = (one.what.file, tuple(files for _, files in one.what.advances if files))
        if one.what.kind == Kind.OPEN:
            open_by[where].append(ranks)
        elif one.what.kind == Kind.CLOSE:
            if ranks not in open_by[where]:
                return False
            open_by[where].remove(ranks)
    return not any(open_by.values())


def barriers_are_whole(steps: list[Step], ranks: int) -> bool:
    """Do all ranks make every barrier?"""
    return all(len(one.ranks) == ranks for one in _ones(steps) if one.what.kind == Kind.BARRIER)


def _ones(steps: list[Step]) -> Iterator[One]:
    for step in steps:
        if isinstance(step, Repeated):
            yield from _ones(step.body)
        elif isinstance(step, One):
            yield step
