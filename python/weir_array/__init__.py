"""Weir's two-phase library for Python: distributed NumPy arrays to files and back, under mpi4py.

    density = weir_array.block((512, 512, 512), "f8").ghosts(1)
    rho = density.empty(comm)
    with weir_array.Plan(comm, density) as plan:
        plan.write("density.raw", rho)
        plan.read("density.raw", rho)

Calls and rules are those of include/weir/array.h. Plans are made, used and closed by all ranks of their
communicator together; everything else is local. What fails raises `Error`, collective calls on all ranks. A
description that fails raises nothing: the plan does, on all ranks, so that none waits for another.

This package needs mpi4py, NumPy and libweir_array.so; the workbench, `weir`, needs none of them.
"""

from weir_array.array import Array, Local, block, block_cyclic, boxes, pieces, replicated
from weir_array.library import Code, Error, find_library, version
from weir_array.plan import Plan, Request, Times, redistribute

__all__ = [
    "Array",
    "Code",
    "Error",
    "Local",
    "Plan",
    "Request",
    "Times",
    "block",
    "block_cyclic",
    "boxes",
    "find_library",
    "pieces",
    "redistribute",
    "replicated",
    "version",
]
