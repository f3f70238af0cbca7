"""Reduce, Allreduce and Reduce_scatter of `bytes`: short messages are combined whole; of long ones each rank
combines a part (Rabenseifner's algorithm). Ranks beyond a power of two give theirs away first."""

from collections.abc import Iterator

from weir.pattern import Step
from weir.simulate.functions import Call, mpi_function
from weir.simulate.functions._rounds import (
    combined,
    copied,
    distances,
    joined,
    just_combined,
    parts,
    placed,
    power_below,
    rooted,
    rounds,
    sends,
    shifted,
    swapped,
)

SHORT_BYTES, LONG_SCATTER_BYTES = 2048, 524288
"""MPICH's REDUCE_SHORT_MSG_SIZE and ALLREDUCE_SHORT_MSG_SIZE; its
REDUCE_SCATTER_COMMUTATIVE_LONG_MSG_SIZE."""


@mpi_function("Reduce")
def reduce(call: Call) -> list[Step]:
    """The result is at the root."""
    if call.bytes <= SHORT_BYTES:
        return rounds(joined(rooted(call), _binomial(call)))
    return rounds(joined(rooted(call), _folded(call), _halved(call), _collected(call)))


@mpi_function("Allreduce")
def allreduce(call: Call) -> list[Step]:
    """All have the result."""
    short = call.bytes <= SHORT_BYTES
    between = [_swapped_whole(call)] if short else [_halved(call), _doubled(call)]
    own = copied(call, call.bytes)
    return rounds(joined(own, _folded(call), *between, _unfolded(call, call.bytes)))


@mpi_function("Reduce_scatter")
def reduce_scatter(call: Call) -> list[Step]:
    """Each rank has a part of the result, of `bytes` in all."""
    part = parts(call.bytes, call.ranks)
    own = copied(call, call.bytes)
    if call.bytes < LONG_SCATTER_BYTES:
        return rounds(joined(own, _folded(call), _halved(call), _unfolded(call, part)))
    return rounds(joined(own, _pairwise(call, part)))


def _binomial(call: Call) -> Iterator[list[Step]]:
    for distance in distances(call.ranks):
        if distance > 1:
            yield just_combined(call, call.bytes)
        places = range(0, call.ranks - distance, 2 * distance)
        pairs = [
            (placed(call.ranks, call.root, place + distance), placed(call.ranks, call.root, place))
            for place in places
        ]
        yield sends(pairs, call.bytes)
        yield combined(call, call.bytes, sorted(to for _, to in pairs))


def _beyond(call: Call) -> int:
    return call.ranks - power_below(call.ranks)


def _places(call: Call) -> list[int]:
    """The ranks that go on: the odd ones of the first, and all behind."""
    beyond = _beyond(call)
    return [2 * place + 1 if place < beyond else place + beyond for place in range(power_below(call.ranks))]


def _folded(call: Call) -> Iterator[list[Step]]:
    odd = [2 * place + 1 for place in range(_beyond(call))]
    yield sends([(rank - 1, rank) for rank in odd], call.bytes)
    if odd:
        yield combined(call, call.bytes, odd)


def _unfolded(call: Call, size: int) -> Iterator[list[Step]]:
    yield sends([(2 * place + 1, 2 * place) for place in range(_beyond(call))], size)


def _swapped_whole(call: Call) -> Iterator[list[Step]]:
    places = _places(call)
    for distance in distances(len(places)):
        if distance > 1:
            yield just_combined(call, call.bytes)
        yield swapped(places, distance, call.bytes)
        yield combined(call, call.bytes, places)


def _halved(call: Call) -> Iterator[list[Step]]:
    """Recursive halving: partners swap halves, and each goes on with the half that it combines."""
    places = _places(call)
    for distance in reversed(distances(len(places))):
        half = parts(call.bytes * distance, len(places))
        if 2 * distance < len(places):
            yield just_combined(call, half)
        yield swapped(places, distance, half)
        yield combined(call, half, places)


def _doubled(call: Call) -> Iterator[list[Step]]:
    """Each has combined a part, and sends it with those that it has got."""
    places = _places(call)
    yield just_combined(call, parts(call.bytes, len(places)))
    for distance in distances(len(places)):
        yield swapped(places, distance, parts(call.bytes * distance, len(places)))


def _collected(call: Call) -> Iterator[list[Step]]:
    """A binomial tree brings the parts to the root, which takes the first place if it had given its data
    away."""
    places = _places(call)
    if call.root not in places:
        yield sends([(places[0], call.root)], parts(call.bytes, len(places)))
        places[0] = call.root
    to_root = places.index(call.root)
    for distance in distances(len(places)):
        pairs = [
            (places[at + distance ^ to_root], places[at ^ to_root])
            for at in range(0, len(places), 2 * distance)
        ]
        yield sends(sorted(pairs), parts(call.bytes * distance, len(places)))


def _pairwise(call: Call, part: int) -> Iterator[list[Step]]:
    for by in range(1, call.ranks):
        yield shifted(call.ranks, by, part)
        yield combined(call, part)
