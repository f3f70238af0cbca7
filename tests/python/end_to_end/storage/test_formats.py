"""Files in a format of their own: other programs read them, and a full disk ends a case, never a launch."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ..conftest import need_real_programs
from ..real_core import KIB, MIB, Done, run_core, run_core_on, storage, write_cases

SHAPE = {"block": 64 * KIB, "transfer": 8 * KIB, "segments": 3, "read": False, "keep": True}
BIG = {
    "block": MIB,
    "transfer": MIB // 4,
    "segments": 3,
}  # on two ranks: half as much again as there is room for
WRITES: dict[str, dict[str, Any]] = {
    "hdf5": {"backend": "hdf5"},
    "hdf5-segments": {"backend": "hdf5", "datasets": "segment"},
    "hdf5-segments-collective": {"backend": "hdf5", "datasets": "segment", "collective": True},
    "hdf5-unsynced": {"backend": "hdf5", "sync": "never"},
    "hdf5-synced": {"backend": "hdf5", "sync": "write"},
    "hdf5-file-per-process": {"backend": "hdf5", "layout": "file-per-process"},
    "hdf5-collective": {"backend": "hdf5", "collective": True},
    "hdf5-chunked": {"backend": "hdf5", "chunk": 16 * KIB},
    "hdf5-chunked-collective": {"backend": "hdf5", "chunk": 16 * KIB, "collective": True},
    "hdf5-preallocated": {"backend": "hdf5", "preallocate": True},
    "pnetcdf": {"backend": "pnetcdf"},
    "pnetcdf-segments": {"backend": "pnetcdf", "datasets": "segment"},
    "pnetcdf-unsynced": {"backend": "pnetcdf", "sync": "never"},
    "pnetcdf-synced": {"backend": "pnetcdf", "sync": "write"},
    "pnetcdf-file-per-process": {"backend": "pnetcdf", "layout": "file-per-process"},
    "pnetcdf-collective": {"backend": "pnetcdf", "collective": True},
    "pnetcdf-posted": {"backend": "pnetcdf", "nonblocking": 3},
    "pnetcdf-posted-collective": {"backend": "pnetcdf", "nonblocking": 3, "collective": True},
    "pnetcdf-preallocated": {"backend": "pnetcdf", "preallocate": True},
}


def need_backends(*names: str) -> None:
    """Skip where this build lacks one of them."""
    need_real_programs()
    there = {backend["name"] for backend in run_core("schema").lines[0]["backends"]}
    for name in names:
        if name not in there:
            pytest.skip(f"this build has no back-end {name}")


def told_by(tool: str, *arguments: str) -> str:
    """What a program says; skips where it is not installed."""
    if shutil.which(tool) is None:
        pytest.skip(f"there is no {tool}")
    return subprocess.run([tool, *arguments], capture_output=True, text=True, check=True).stdout


def test_a_file_is_one_dataset_unless_each_segment_is_to_be_one(place: Path) -> None:
    need_backends("hdf5", "pnetcdf")
    assert run_core(write_cases(storage("one", backend="hdf5", **SHAPE)), ranks=2).code == 0
    assert told_by("h5ls", "store/weir-data").split() == ["data", "Dataset", "{393216}"]
    assert run_core(write_cases(storage("one", backend="pnetcdf", **SHAPE)), ranks=2).code == 0
    told = told_by("ncmpidump", "-h", "store/weir-data")
    assert "bytes-393216 = 393216" in told
    assert told.count("ubyte ") == told.count("ubyte data(") == 1


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("backend", ["hdf5", "pnetcdf"])
def test_a_time_limit_holds_for_many_segments(place: Path, backend: str, ranks: int) -> None:
    need_backends(backend)
    many = {"block": 8, "transfer": 8, "segments": 4_000_000, "read": False, "time_limit": 0.5}
    done = run_core(
        write_cases(
            storage("one", backend=backend, **many),
            storage("many", backend=backend, datasets="segment", **many),
        ),
        ranks=ranks,
    )
    assert done.of("sample", "one")[0]["bytes"] > 0
    if backend == "hdf5" and ranks == 1:  # datasets are made as they are written
        assert done.of("sample", "many")[0]["bytes"] > 0
        return
    failure = done.failure("many")
    assert (failure["exit_code"], done.code) == (3, 3)
    assert failure["problem"] == "the time limit was over before the first request"
    assert "of the file's 4000000 datasets were made" in failure["reason"]
    assert done.others == []


def test_h5dump_reads_what_was_written(place: Path) -> None:
    need_backends("hdf5")
    done = run_core(write_cases(storage("one", backend="hdf5", datasets="segment", **SHAPE)), ranks=2)
    assert done.code == 0, done.talk
    assert told_by("h5ls", "store/weir-data").split("\n")[:3] == [
        f"segment-00000{i}           Dataset {{131072}}" for i in range(3)
    ]
    told = told_by("h5dump", "-d", "segment-000002[0;;8;]", "store/weir-data")
    assert "H5T_STD_U8LE" in told
    assert "(0): 0, 0, 0, 0, 0, 0, 0, 0" not in told


def test_chunks_and_alignment_are_as_asked_for(place: Path) -> None:
    need_backends("hdf5")
    segments = {"backend": "hdf5", "datasets": "segment", "alignment": 32 * KIB}
    case = storage("one", chunk=48 * KIB, **segments, **SHAPE)
    assert run_core(write_cases(case), ranks=2).code == 0
    told = told_by("h5dump", "-p", "-H", "store/weir-data")
    assert told.count("CHUNKED ( 49152 )") == 3
    assert "FILL_TIME H5D_FILL_TIME_NEVER" in told
    case = storage("one", **segments, **SHAPE)
    assert run_core(write_cases(case), ranks=2).code == 0
    offsets = [int(n) for n in re.findall(r"OFFSET (\d+)", told_by("h5dump", "-p", "-H", "store/weir-data"))]
    assert len(offsets) == 3
    assert all(offset % (32 * KIB) == 0 for offset in offsets)


def test_ncmpidump_reads_what_was_written(place: Path) -> None:
    need_backends("pnetcdf")
    done = run_core(write_cases(storage("one", backend="pnetcdf", datasets="segment", **SHAPE)), ranks=2)
    assert done.code == 0, done.talk
    assert "64-bit data" in told_by("ncmpidump", "-k", "store/weir-data")
    told = told_by("ncmpidump", "-h", "store/weir-data")
    assert "bytes-131072 = 131072" in told
    assert told.count("ubyte segment-00000") == 3
    told_by("ncvalidator", "store/weir-data")


@pytest.fixture(scope="module", params=[2, 4])
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Done:
    """A launch that fills the disk in each way; after each, a case for which there is room."""
    need_backends(*{options["backend"] for options in WRITES.values()})
    folder = tmp_path_factory.mktemp("full")
    (folder / "store").mkdir()
    cases = []
    for way, options in WRITES.items():
        cases += [storage(way, **BIG, **options), storage(f"{way} small", **options)]
    return run_core_on(
        "-t tmpfs -o size=4m", write_cases(*cases, folder=folder), ranks=request.param, cwd=folder
    )


@pytest.mark.parametrize("way", WRITES)
def test_a_full_disk_is_a_failure_that_says_so(filled: Done, way: str) -> None:
    assert filled.of("sample", way) == []
    failure = filled.failure(way)
    assert failure["exit_code"] == 3
    assert failure["reason"] == "No space left on device"
    assert "Free space" in failure["suggestion"]


@pytest.mark.parametrize("way", WRITES)
def test_the_next_case_finds_the_ranks_in_step(filled: Done, way: str) -> None:
    assert [sample["phase"] for sample in filled.of("sample", f"{way} small")] == ["write", "read"]


def test_the_launch_ends_and_leaves_no_file(filled: Done) -> None:
    assert filled.code == 3, filled.talk
    assert len(filled.errors) == len(WRITES)
    assert filled.others == []
