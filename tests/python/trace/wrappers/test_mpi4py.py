"""mpi4py, which brings MPI into the process after it has begun."""

import subprocess
import sys
from pathlib import Path

import pytest

from ..parallel_programs import OPEN_MPI, record_ranks, rows, transfers

PROGRAM = """
from mpi4py import MPI
world = MPI.COMM_WORLD
file = MPI.File.Open(world, "out", MPI.MODE_CREATE | MPI.MODE_WRONLY)
file.Write_at_all(world.rank * 100, bytearray(100))
file.Close()
world.bcast({"a": 1}, root=0)
world.Barrier()
"""


def test_mpi4py(tmp_path: Path) -> None:
    pytest.importorskip("mpi4py")
    version = "from mpi4py import MPI; print(MPI.Get_library_version())"
    told = subprocess.run([sys.executable, "-c", version], check=False, capture_output=True, text=True)
    if "Open MPI" not in told.stdout:
        pytest.skip("mpi4py finds no Open MPI here")
    for rank, process in enumerate(record_ranks(tmp_path, [sys.executable, "-c", PROGRAM], 2, OPEN_MPI)):
        assert transfers(process) == [("MPI_File_write_at_all", rank * 100, 100, 100)]
        mpi = [row.call for row in rows(process, "MPI") if row.level == 0]
        assert {"MPI_Init_thread", "MPI_Bcast", "MPI_Barrier", "MPI_Finalize"} <= set(mpi)
        assert (process.facts["rank"], process.facts["ranks"]) == (rank, 2)
