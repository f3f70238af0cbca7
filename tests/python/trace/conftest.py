"""Programs under the recorder, in the folder of the test."""

from functools import partial
from pathlib import Path

import pytest

from .parallel_programs import OPEN_MPI, Mpi, run_parallel
from .programs import Record, record_program


@pytest.fixture
def record(tmp_path: Path) -> Record:
    """`record_program` in this test's folder."""
    return partial(record_program, tmp_path)


@pytest.fixture
def mpi() -> Mpi:
    """That of tests to which `BOTH` gives no other."""
    return OPEN_MPI


@pytest.fixture
def run_c(tmp_path: Path, mpi: Mpi) -> Record:
    """`run_parallel` in this test's folder."""
    return partial(run_parallel, tmp_path, mpi=mpi)
