"""Allgather and Allgatherv: each rank's `bytes` go to all."""

from weir.pattern import Step
from weir.simulate.functions import Call, mpi_function
from weir.simulate.functions._gathering import bruck, doubled, ring
from weir.simulate.functions._rounds import copied, is_power, joined, rounds

SHORT_BYTES, LONG_BYTES = 81920, 524288
"""MPICH's ALLGATHER_SHORT_MSG_SIZE and ALLGATHER_LONG_MSG_SIZE, of all ranks' parts together."""


@mpi_function("Allgather")
def allgather(call: Call) -> list[Step]:
    """By doubling, by Bruck's algorithm where it is short and ranks are no power of two, or on a ring."""
    whole = call.bytes * call.ranks
    if whole < LONG_BYTES and is_power(call.ranks):
        around = doubled
    else:
        around = bruck if whole < SHORT_BYTES else ring
    return rounds(joined(copied(call, call.bytes), around(call.ranks, call.bytes)))


@mpi_function("Allgatherv")
def allgatherv(call: Call) -> list[Step]:
    """The same sizes, and so the same algorithms."""
    return allgather(call)
