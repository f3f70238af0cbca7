"""Pieces that are listed, rank by rank: the nest of strides that they are, or what is left where they are
none."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from weir.mimic.nests import Levels, Nest

Pieces = Sequence[tuple[int, int]]
"""Offset and length of each, in bytes, in the order in which a rank accesses them."""


@dataclass(frozen=True)
class Scattered:
    """How the pieces of several ranks lie that are no nest of strides."""

    overlap: float = 0.0
    """The share of the bytes that several ranks access."""
    free: float = 0.0
    """The share of the file from the first byte to the last one that nobody accesses."""
    ascending: bool = True
    """Whether ranks begin in the order of their numbers."""


def nest_of(ranks: Sequence[Pieces]) -> tuple[int, Nest] | None:
    """The first byte of all and the nest that these pieces are; None if they are none. Time grows with the
    pieces."""
    first = [offset for offset, _ in ranks[0]]
    lengths = {length for pieces in ranks for _, length in pieces}
    if len(lengths) != 1 or not first:
        return None
    relative = [offset - first[0] for offset in first]
    for pieces in ranks[1:]:
        if len(pieces) != len(first) or any(
            offset - pieces[0][0] != by for (offset, _), by in zip(pieces, relative, strict=True)
        ):
            return None
    levels, displaced = levels_of(first), levels_of([pieces[0][0] for pieces in ranks])
    if levels is None or displaced is None:
        return None
    nest = Nest(levels, lengths.pop(), displaced)
    return first[0] + nest.lowest, nest


def levels_of(places: Sequence[int]) -> Levels | None:
    """The levels of strides whose places these are, in this order, as few as there can be; None if no levels
    make them."""
    if len(places) == 1:
        return ()
    stride, run = places[1] - places[0], 2
    while run < len(places) and places[run] - places[run - 1] == stride:
        run += 1
    if len(places) % run:
        return None
    starts = places[::run]
    if any(place != starts[at // run] + at % run * stride for at, place in enumerate(places)):
        return None
    outer = levels_of(starts)
    return None if outer is None else (*outer, (run, stride))


def scattered(ranks: Sequence[Pieces]) -> Scattered:
    """How pieces lie that are no nest. Time grows with the pieces, and their logarithm."""
    merged = [part for pieces in ranks for part in _merged(pieces)]
    ends = sorted([(begin, 1) for begin, _ in merged] + [(end, -1) for _, end in merged])
    covered, touched, by_several = 0, 0, 0
    for (place, change), (following, _) in pairwise(ends):
        covered += change
        touched += (following - place) * (covered > 0)
        by_several += (following - place) * covered * (covered > 1)
    accessed = sum(end - begin for begin, end in merged)
    span = ends[-1][0] - ends[0][0] if ends else 0
    starts = [min(offset for offset, _ in pieces) for pieces in ranks if pieces]
    return Scattered(
        overlap=by_several / accessed if accessed else 0.0,
        free=1 - touched / span if span else 0.0,
        ascending=starts == sorted(starts),
    )


def _merged(pieces: Pieces) -> list[tuple[int, int]]:
    """Begins and ends of what a rank accesses, each byte once."""
    found: list[tuple[int, int]] = []
    for offset, length in sorted(pieces):
        if found and offset <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], offset + length))
        else:
            found.append((offset, offset + length))
    return found
