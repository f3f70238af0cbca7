"""Alltoall: each rank has `bytes` for each other one."""

from collections.abc import Iterator

from weir.pattern import Step
from weir.simulate.functions import Call, mpi_function
from weir.simulate.functions._rounds import copied, distances, joined, rounds, shifted

SHORT_BYTES, MEDIUM_BYTES, FEW = 256, 32768, 8
"""MPICH's ALLTOALL_SHORT_MSG_SIZE and ALLTOALL_MEDIUM_MSG_SIZE, of one message; ranks from which Bruck's
algorithm is taken."""
AT_ONCE = 32
"""MPICH's ALLTOALL_THROTTLE: so many messages of a rank are under way together."""


@mpi_function("Alltoall")
def alltoall(call: Call) -> list[Step]:
    """By Bruck's algorithm, some messages at once, or one after another."""
    if call.bytes <= SHORT_BYTES and call.ranks >= FEW:
        return rounds(joined(copied(call, call.bytes, call.ranks), _bruck(call)))
    at_once = AT_ONCE if call.bytes <= MEDIUM_BYTES else 1
    return rounds(joined(copied(call, call.bytes, call.ranks), _spread(call, at_once)))


def _bruck(call: Call) -> Iterator[list[Step]]:
    for distance in distances(call.ranks):
        parts = sum(1 for place in range(call.ranks) if place & distance)
        yield shifted(call.ranks, distance, parts * call.bytes)


def _spread(call: Call, at_once: int) -> Iterator[list[Step]]:
    """Pairwise: each time one so much farther sends and receives."""
    for first in range(1, call.ranks, at_once):
        steps: list[Step] = []
        for by in range(first, min(first + at_once, call.ranks)):
            steps += shifted(call.ranks, by, call.bytes)
        yield steps
