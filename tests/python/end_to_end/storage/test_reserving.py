"""preallocate through MPI-IO: files hold the bytes and have the size that they have through POSIX, also where
they held something before."""

from pathlib import Path
from typing import Any

import pytest

from ..patterns import access, closing, opening, pattern, phase
from ..real_core import names_in, run_core, storage, write_cases
from .test_patterns import case_of

COMPONENTS = ["ompio", "romio321"]
WAYS: dict[str, dict[str, Any]] = {
    "plain": {},
    "collective": {"collective": True},
    "file-view": {"file_view": True},
    "pointer": {"pointer": "individual"},
    "two-phase": {"backend": "twophase", "collective": True},
    "apart": {"layout": "file-per-process"},
}


@pytest.mark.parametrize("component", COMPONENTS)
@pytest.mark.parametrize("ranks", [1, 2])
def test_files_that_are_written_again_keep_their_size(place: Path, ranks: int, component: str) -> None:
    small = {"block": 16, "transfer": 16, "segments": 2, "overwrite": True, "keep": True, "preallocate": True}
    cases = []
    for way, options in WAYS.items():
        Path("store", way).mkdir(parents=True)
        cases.append(storage(way, **{"backend": "mpiio", **small, **options}, check=True, dir=f"store/{way}"))
    done = run_core(write_cases(*cases), ranks=ranks, OMPI_MCA_io=component).ended(0)
    for way in WAYS:
        assert done.samples("check", way)[0]["verification"]["wrong"] == 0
        files = [one for one in Path("store", way).rglob("weir-data*") if one.suffix != ".kept"]
        assert sum(file.stat().st_size for file in files) == 32 * ranks, way


@pytest.mark.parametrize("component", COMPONENTS)
@pytest.mark.parametrize("file_view", [False, True])
@pytest.mark.parametrize("bytes_", [100, 40, 10])
def test_bytes_that_nobody_wrote_are_zero(place: Path, bytes_: int, file_view: bool, component: str) -> None:
    written = access("write", count=5, length=8)
    steps = opening("create"), written, {"preallocate": {"file": 0, "bytes": bytes_}}, closing()
    text = pattern(phase("write", *steps), ranks=2)
    held = []
    for backend in ({"backend": "posix"}, {"backend": "mpiio", "file_view": file_view}):
        case = case_of("reserved", text, keep=True, seed=1, **backend)
        run_core(write_cases(case), ranks=2, OMPI_MCA_io=component).ended(0)
        (name,) = (one for one in names_in("store") if not one.endswith(".kept"))
        held.append(Path("store", name).read_bytes())
    assert len(held[0]) == max(bytes_, 40) and not any(held[0][40:])
    assert held[0] == held[1]
