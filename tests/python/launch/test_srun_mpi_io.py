"""What a step lacks, where no mpirun says which MPI it is."""

from pathlib import Path

import pytest

from weir.launch.base import LaunchSpec
from weir.launch.srun import Job, Srun


def test_without_mpirun_an_mpi_io_cannot_be_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    srun = Srun(Job("srun", 4, "pmix"))
    assert "no mpirun in PATH" in (srun.lacks(LaunchSpec(2, mpi_io="romio")) or "")
    assert srun.lacks(LaunchSpec(2)) is None
