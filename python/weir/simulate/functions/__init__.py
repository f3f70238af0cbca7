"""MPI functions as patterns of messages, by the algorithms that MPI libraries carry them out with.

One module each, with functions under `@mpi_function(NAME)` that give the steps of one call. Which algorithm a
size gets is MPICH's choice (Thakur, Rabenseifner, Gropp: Optimization of collective communication operations
in MPICH, IJHPCA 19(1), 2005, section 4; the sizes are the defaults of MPICH's control variables since 3.0).
"""

from collections.abc import Callable
from dataclasses import dataclass

from weir.pattern import Pattern, Step, phase_of
from weir.registry import Registry

Cost = Callable[[float], float]
"""Seconds for so many bytes."""


@dataclass(frozen=True)
class Beside:
    """What a rank does beside sending and receiving; null: it takes no time. `combine`: results of a
    reduction from two operands. `copy`: of its own data. `fresh`: what a message takes longer whose bytes its
    sender has just combined. `rooted`: a function from or to one rank, whatever its size."""

    combine: Cost | None = None
    copy: Cost | None = None
    fresh: Cost | None = None
    rooted: float | None = None


NOTHING_BESIDE = Beside()


@dataclass(frozen=True)
class Call:
    """One call on so many ranks. `bytes`: as the Intel MPI Benchmarks count the function's message. `root`:
    of functions that have one. `seed`: of orders that are random."""

    ranks: int
    bytes: int
    root: int = 0
    beside: Beside = NOTHING_BESIDE
    seed: int = 1


mpi_functions: Registry[Callable[[Call], list[Step]]] = Registry("weir.simulate.functions", "MPI function")
"""By the names that the Intel MPI Benchmarks and HPCC give them."""
mpi_function = mpi_functions.register


def pattern_of(name: str, call: Call) -> Pattern:
    """One call of that function, as a pattern. Raises WeirError if there is no such function."""
    steps = mpi_functions.find(name)(call)
    return Pattern(weir_pattern=1, name=name, ranks=call.ranks, files=[], phases=[phase_of(name, steps)])
