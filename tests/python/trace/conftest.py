"""Programs under the recorder, in the folder of the test."""

from functools import partial
from pathlib import Path

import pytest

from .parallel_programs import OPEN_MPI, run_parallel
from .programs import Record, record_program


@pytest.fixture
def record(tmp_path: Path) -> Record:
    """`record_program` in this test's folder."""
    return partial(record_program, tmp_path)


@pytest.fixture
def run_c(tmp_path: Path, request: pytest.FixtureRequest) -> Record:
    """`run_parallel` in this test's folder, with the MPI that the test has as a parameter."""
    parameters = request.node.callspec.params if hasattr(request.node, "callspec") else {}
    return partial(run_parallel, tmp_path, mpi=parameters.get("mpi", OPEN_MPI))
