"""Bcast: a binomial tree for short messages; for long ones each rank gets a part, and all parts go round."""

from collections.abc import Iterator

from weir.pattern import Step
from weir.simulate.functions import Call, mpi_function
from weir.simulate.functions._gathering import doubled, ring
from weir.simulate.functions._rounds import distances, is_power, joined, parts, placed, rooted, rounds, sends

SHORT_BYTES, LONG_BYTES, FEW = 12288, 524288, 8
"""MPICH's BCAST_SHORT_MSG_SIZE, BCAST_LONG_MSG_SIZE and BCAST_MIN_PROCS."""


@mpi_function("Bcast")
def bcast(call: Call) -> list[Step]:
    """Of `bytes` from the root to all."""
    if call.bytes < SHORT_BYTES or call.ranks < FEW:
        return rounds(joined(rooted(call), binomial(call)))
    part = parts(call.bytes, call.ranks)
    gather = doubled if call.bytes < LONG_BYTES and is_power(call.ranks) else ring
    return rounds(joined(rooted(call), scattered(call, part), gather(call.ranks, part)))


def binomial(call: Call) -> Iterator[list[Step]]:
    """Who has the message sends it half as far each time."""
    for distance in reversed(distances(call.ranks)):
        yield sends(_pairs(call, distance), call.bytes)


def scattered(call: Call, part: int) -> Iterator[list[Step]]:
    """The same, but a rank gets only the parts of those that it sends to in turn."""
    for distance in reversed(distances(call.ranks)):
        pairs = [
            (place, min(distance, call.ranks - place - distance))
            for place in range(0, call.ranks - distance, 2 * distance)
        ]
        whole = [place for place, count in pairs if count == distance]
        steps = sends([_pair(call, place, distance) for place in whole], distance * part)
        for place, count in pairs[len(whole) :]:
            steps += sends([_pair(call, place, distance)], count * part)
        yield steps


def _pairs(call: Call, distance: int) -> list[tuple[int, int]]:
    return [_pair(call, place, distance) for place in range(0, call.ranks - distance, 2 * distance)]


def _pair(call: Call, place: int, distance: int) -> tuple[int, int]:
    return placed(call.ranks, call.root, place), placed(call.ranks, call.root, place + distance)
