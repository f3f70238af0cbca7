"""Messages between neighbours, as the Intel MPI Benchmarks send them."""

from weir.pattern import Step
from weir.simulate.functions import Call, mpi_function
from weir.simulate.functions._rounds import rounds, sends, shifted


@mpi_function("PingPong")
def ping_pong(call: Call) -> list[Step]:
    """Rank 0 to rank 1 and back."""
    return rounds([sends([(0, 1)], call.bytes), sends([(1, 0)], call.bytes)])


@mpi_function("PingPing")
def ping_ping(call: Call) -> list[Step]:
    """Ranks 0 and 1 to each other at once."""
    return sends([(0, 1), (1, 0)], call.bytes)


@mpi_function("Sendrecv")
def send_receive(call: Call) -> list[Step]:
    """Each rank to its right neighbour."""
    return shifted(call.ranks, 1, call.bytes)


@mpi_function("Exchange")
def exchange(call: Call) -> list[Step]:
    """Each rank to both neighbours."""
    return [*shifted(call.ranks, -1, call.bytes), *shifted(call.ranks, 1, call.bytes)]
