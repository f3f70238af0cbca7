"""Algorithms by which all ranks get all parts: on a ring, or with partners farther away each time."""

from collections.abc import Iterator

from weir.pattern import Step
from weir.simulate.functions._rounds import distances, shifted, swapped


def ring(ranks: int, part: int) -> Iterator[list[Step]]:
    """Each passes on what came last."""
    for _ in range(ranks - 1):
        yield shifted(ranks, 1, part)


def doubled(ranks: int, part: int) -> Iterator[list[Step]]:
    """Recursive doubling, of a power of two ranks: they swap all that they have, with one twice as far each
    time."""
    for distance in distances(ranks):
        yield swapped(range(ranks), distance, distance * part)


def bruck(ranks: int, part: int) -> Iterator[list[Step]]:
    """Bruck's, of any number of ranks: what a rank has goes to the one so far before it."""
    for distance in distances(ranks):
        yield shifted(ranks, -distance, min(distance, ranks - distance) * part)
