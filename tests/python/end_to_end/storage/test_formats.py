"""Files in a format of their own: other programs read them."""

import re
from pathlib import Path

import pytest

from ..conftest import need_real_programs
from ..real_core import KIB, run_cases, run_core, storage, write_cases
from ..real_programs import told_by

SHAPE = {"block": 64 * KIB, "transfer": 8 * KIB, "segments": 3, "read": False, "keep": True}


def need_backends(*names: str) -> None:
    """Skip where this build lacks one of them."""
    need_real_programs()
    there = {backend["name"] for backend in run_core("schema").lines[0]["backends"]}
    for name in names:
        if name not in there:
            pytest.skip(f"this build has no back-end {name}")


def test_a_file_is_one_dataset_unless_each_segment_is_to_be_one(place: Path) -> None:
    need_backends("hdf5", "pnetcdf")
    run_cases(storage("one", backend="hdf5", **SHAPE), ranks=2)
    assert told_by("h5ls", "store/weir-data").split() == ["data", "Dataset", "{393216}"]
    run_cases(storage("one", backend="pnetcdf", **SHAPE), ranks=2)
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
    run_cases(storage("one", backend="hdf5", datasets="segment", **SHAPE), ranks=2)
    assert told_by("h5ls", "store/weir-data").split("\n")[:3] == [
        f"segment-00000{i}           Dataset {{131072}}" for i in range(3)
    ]
    told = told_by("h5dump", "-d", "segment-000002[0;;8;]", "store/weir-data")
    assert "H5T_STD_U8LE" in told
    assert "(0): 0, 0, 0, 0, 0, 0, 0, 0" not in told


def test_chunks_and_alignment_are_as_asked_for(place: Path) -> None:
    need_backends("hdf5")
    segments = {"backend": "hdf5", "datasets": "segment", "alignment": 32 * KIB}
    run_cases(storage("one", chunk=48 * KIB, **segments, **SHAPE), ranks=2)
    told = told_by("h5dump", "-p", "-H", "store/weir-data")
    assert told.count("CHUNKED ( 49152 )") == 3
    assert "FILL_TIME H5D_FILL_TIME_NEVER" in told
    run_cases(storage("one", **segments, **SHAPE), ranks=2)
    offsets = [int(n) for n in re.findall(r"OFFSET (\d+)", told_by("h5dump", "-p", "-H", "store/weir-data"))]
    assert len(offsets) == 3
    assert all(offset % (32 * KIB) == 0 for offset in offsets)


def test_ncmpidump_reads_what_was_written(place: Path) -> None:
    need_backends("pnetcdf")
    run_cases(storage("one", backend="pnetcdf", datasets="segment", **SHAPE), ranks=2)
    assert "64-bit data" in told_by("ncmpidump", "-k", "store/weir-data")
    told = told_by("ncmpidump", "-h", "store/weir-data")
    assert "bytes-131072 = 131072" in told
    assert told.count("ubyte segment-00000") == 3
    told_by("ncvalidator", "store/weir-data")
