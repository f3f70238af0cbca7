"""A study with the MPI that WEIR_MPI names, whose mpirun is the first in PATH and whose core is WEIR_CORE:
the nightly stage `mpis` says which. Skipped otherwise."""

import os
from pathlib import Path

import pytest

from fakes import read_lines
from verbs import weir_ended
from weir.launch.base import usable_cores

MPI = os.environ.get("WEIR_MPI", "")
LIBRARIES = {"openmpi": "Open MPI v5.", "mpich": "MPICH Version:"}
OWN = {"openmpi": "OMPI_MCA_io_base_verbose", "mpich": "MPIR_CVAR_DEBUG_HOLD"}
"""A variable of the MPI's own, which changes nothing."""
STUDY = """
[study]
name = "small"
budget = "2m"
min_samples = 1
max_samples = 1

[fixed]
benchmark = "storage"
block = "256KiB"
transfer = "64KiB"
check = true

[[comparison]]
name = "io"
fixed = {{ backend = "mpiio", env = {{ {own} = "0" }} }}
axes = {{ ranks = [1, {cores}, {crowded}], mpi_io = ["ompio", "romio"] }}

[[comparison]]
name = "posix"
axes = {{ ranks = [{cores}] }}
"""

pytestmark = pytest.mark.skipif(MPI not in LIBRARIES, reason="WEIR_MPI names no other MPI")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mpi")
    (folder / "store").mkdir()
    cores = usable_cores()
    (folder / "study.toml").write_text(STUDY.format(own=OWN[MPI], cores=cores, crowded=2 * cores))
    done = weir_ended(
        "run", folder / "study.toml", "--trust", "--dir", folder / "store", "--out", folder / "run"
    )
    assert done.returncode == 5, done.stdout + done.stderr  # one sample has no interval
    return folder / "run"


def test_ranks_start_as_asked_and_know_each_other(run: Path) -> None:
    cores = usable_cores()
    launches = read_lines(run, "launch")
    assert {line["ranks"] for line in launches} == {1, cores, 2 * cores}
    assert all(line["mpi"]["library"].startswith(LIBRARIES[MPI]) for line in launches)
    assert read_lines(run, "failure") == [] and read_lines(run, "died") == []


def test_ranks_are_bound_where_there_are_enough_cores(run: Path) -> None:
    for line in read_lines(run, "launch"):
        one_each = {rank["cores"] for rank in line["placement"]} == {1}
        assert one_each == (line["ranks"] <= usable_cores())


def test_ranks_that_rest_are_not_said_to_spin(run: Path) -> None:
    crowded = [line for line in read_lines(run, "launch") if line["ranks"] > usable_cores()]
    assert crowded and all(line["mpi"]["spins"] is False for line in crowded)
    codes = [{warning["code"] for warning in line["warnings"]} for line in crowded]
    assert all("oversubscribed" in found and "spinning" not in found for found in codes)


def test_the_environment_comes_to_the_ranks(run: Path) -> None:
    found = [line["environment"].get(OWN[MPI]) for line in read_lines(run, "launch")]
    assert "0" in found


def test_every_case_moved_its_data_and_read_it_back(run: Path) -> None:
    samples = read_lines(run, "sample")
    cases = {line["case"] for line in read_lines(run, "case")}
    checked = {line["case"] for line in samples if line["phase"] == "check"}
    assert checked == cases
    assert all(line["verification"]["wrong"] == 0 for line in samples if line["phase"] == "check")


def test_mpi_io_is_the_one_that_was_asked_for_or_left_out(run: Path) -> None:
    left_out = {line["why"] for line in read_lines(run, "left_out")}
    asked = {line["mpi_io"] for line in read_lines(run, "case")}
    if MPI == "openmpi":
        assert left_out == set() and asked == {"ompio", "romio", None}
    else:
        assert left_out == {"MPICH's MPI-IO is ROMIO"} and asked == {"romio", None}
