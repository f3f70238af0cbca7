"""HPCC's rings: each rank sends to both neighbours at once, the ranks in their order or a random one."""

from random import Random

from weir.pattern import Step
from weir.simulate.functions import Call, mpi_function
from weir.simulate.functions._rounds import sends


@mpi_function("NaturalRing")
def natural_ring(call: Call) -> list[Step]:
    """In their order."""
    return _around(range(call.ranks), call.bytes)


@mpi_function("RandomRing")
def random_ring(call: Call) -> list[Step]:
    """In an order that the seed decides."""
    order = list(range(call.ranks))
    Random(call.seed).shuffle(order)
    return _around(order, call.bytes)


def _around(order: range | list[int], size: int) -> list[Step]:
    there = [(rank, order[(place + 1) % len(order)]) for place, rank in enumerate(order)]
    back = [(rank, order[place - 1]) for place, rank in enumerate(order)]
    return [*sends(there, size), *sends(back, size)]
