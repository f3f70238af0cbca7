"""Writes a distributed array with ghost cells to a file and reads it back: describe, plan, write, read.

    mpirun -n 4 python3 dump.py density.raw

tests/python/end_to_end/array/test_install.py runs it against an installed Weir, and checks the file.
"""

import sys

import numpy as np
from mpi4py import MPI

import weir_array

SHAPE = (64, 48, 32)


def dump(path: str, comm: MPI.Comm) -> tuple[int, str]:
    """The number of elements, over all ranks, that differ after reading, and the plan in words."""
    density = weir_array.block(SHAPE, "f8").ghosts(1)
    held = density.local(comm)
    rho = density.empty(comm)
    inner = rho[1:-1, 1:-1, 1:-1]

    # Each element holds its place in the file.
    i, j, k = np.indices(held.count) + np.array(held.start).reshape(3, 1, 1, 1)
    place = (i * SHAPE[1] + j) * SHAPE[2] + k

    inner[...] = place
    with weir_array.Plan(comm, density) as plan:
        plan.write(path, rho)
        rho.fill(-1)
        plan.read(path, rho)
        how = plan.explanation
    return comm.allreduce(np.count_nonzero(inner != place)), how


def main() -> int:
    comm = MPI.COMM_WORLD
    try:
        wrong, how = dump(sys.argv[1] if len(sys.argv) > 1 else "density.raw", comm)
    except weir_array.Error as error:
        if comm.rank == 0:
            print(f"dump: {error}", file=sys.stderr)
        return 1
    if comm.rank == 0:
        print(f"{wrong} elements are wrong; {how}")
    return 1 if wrong else 0


sys.exit(main())
