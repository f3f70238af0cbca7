"""Checks that ranks that open a file together close it together, as a pattern must."""

from collections import defaultdict
from collections.abc import Iterator

from .operations import Kind
from .steps import One, Repeated, Step

MOST_VISITED = 1_000_000


def are_whole(steps: list[Step]) -> bool:
    """Has every open a close of the same ranks? Repetitions are gone through turn by turn; False where
    there are too many turns to tell."""
    open_by: dict[int, list[bytes]] = defaultdict(list)
    for visited, (one, file) in enumerate(_sessions(steps, ())):
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


def _sessions(steps: list[Step], turns: tuple[int, ...]) -> Iterator[tuple[One, int]]:
    """Opens and closes as they are made, with the number of their file."""
    for step in steps:
        if isinstance(step, Repeated):
            if any(one.what.kind in (Kind.OPEN, Kind.CLOSE) for one in _ones(step.body)):
                for turn in range(step.count):
                    yield from _sessions(step.body, (*turns, turn))
        elif isinstance(step, One) and step.what.kind in (Kind.OPEN, Kind.CLOSE):
            advances = zip(step.what.advances, turns, strict=True)
            yield step, step.what.file + sum(files * turn for (_, files), turn in advances)


def barriers_are_whole(steps: list[Step], ranks: int) -> bool:
    """Do all ranks make every barrier?"""
    return all(len(one.ranks) == ranks for one in _ones(steps) if one.what.kind == Kind.BARRIER)


def _ones(steps: list[Step]) -> Iterator[One]:
    for step in steps:
        if isinstance(step, Repeated):
            yield from _ones(step.body)
        elif isinstance(step, One):
            yield step
