"""Pieces that are listed, rank by rank: the nest of strides that they are, or what is left where they are
none."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from weir.mimic.nests import Levels, Nest
from weir.mimic.overlap import Places, coverage

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
    distinct: float = 1.0
    """The share of a rank's bytes that it has not accessed before."""


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


def distinct_share(ranks: Sequence[Pieces]) -> float:
    """Of the bytes that ranks access, the share that is each rank's first access of them."""
    accessed = sum(length for pieces in ranks for _, length in pieces)
    distinct = sum(end - begin for pieces in ranks for begin, end in _merged(pieces))
    return distinct / accessed if accessed else 1.0


def lie_of(places: Sequence[Places]) -> Scattered:
    """How these lie together, which are no nest: exact."""
    found = coverage(places)
    starts: dict[int, int] = {}
    for one in places:
        starts[one.rank] = min(one.lowest, starts.get(one.rank, one.lowest))
    of_ranks = [starts[rank] for rank in sorted(starts)]
    return Scattered(found.overlap, found.free, ascending=of_ranks == sorted(of_ranks))


def places_of(ranks: Sequence[Pieces], numbers: Iterable[int]) -> tuple[Places, ...]:
    """What the ranks of these numbers access, each byte of a rank once."""
    return tuple(
        Places(rank, begin, (), end - begin)
        for rank, pieces in zip(numbers, ranks, strict=True)
        for begin, end in _merged(pieces)
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
