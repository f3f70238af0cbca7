"""Barrier by messages: dissemination (Hensgen, Finkel, Manber 1988)."""

from weir.pattern import Step
from weir.simulate.functions import Call, mpi_function
from weir.simulate.functions._rounds import distances, rounds, shifted

LEAST_BYTES = 1
"""A pattern's message has a byte at least."""


@mpi_function("Barrier")
def barrier(call: Call) -> list[Step]:
    """Each tells one twice as far each time."""
    return rounds(shifted(call.ranks, by, LEAST_BYTES) for by in distances(call.ranks))
