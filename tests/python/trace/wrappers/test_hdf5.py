"""HDF5: files, datasets and attributes by name, and what POSIX does for them."""

import sys
from pathlib import Path

import numpy as np
import pytest

from weir.trace.process import read_trace

from ..parallel_programs import BOTH, Mpi, Row, columns, compiled, flags_of, inside, record_ranks, rows
from ..programs import assert_told, run

COLLECTIVE = 1


def hdf5_flags(mpi: Mpi) -> list[str]:
    """Those of this MPI's HDF5."""
    return ["-include", "hdf5.h", *flags_of(f"hdf5-{mpi.name.replace(' ', '').lower()}")]


def one(found: list[Row], call: str) -> Row:
    """The only row of this call."""
    (row,) = (row for row in found if row.call == call)
    return row


SERIAL = """
int main(void) {
    hsize_t size[2] = {200, 500}, start[2] = {40, 0}, count[2] = {100, 500}, few = 5;
    hid_t const usual = H5P_DEFAULT, real = H5T_NATIVE_FLOAT, whole = H5T_NATIVE_INT;
    hid_t file = H5Fcreate("fields.h5", H5F_ACC_TRUNC, usual, usual);  //= @ fields.h5 2 0 open
    hid_t group = H5Gcreate2(file, "step", usual, usual, usual);  //= @ /step 0 0 open
    hid_t space = H5Screate_simple(2, size, NULL), piece = H5Screate_simple(2, count, NULL);
    hid_t set = H5Dcreate2(group, "density", real, space, usual, usual, usual);  //= @ /step/density 0 0 open
    hid_t few_of = H5Screate_simple(1, &few, NULL);
    hid_t unit = H5Acreate2(set, "unit", whole, few_of, usual, usual);  //= @ /step/density@unit 0 0 open
    H5Awrite(unit, H5T_NATIVE_INT, data);  //= @ /step/density@unit 20 20 write
    H5Aclose(unit);  //= @ /step/density@unit 0 0 close
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, usual, data);  //= @ /step/density 800000 800000 write
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Dwrite(set, H5T_NATIVE_FLOAT, piece, space, usual, data);  //= @ /step/density 200000 200000 write
    H5Dread(set, H5T_NATIVE_FLOAT, piece, space, usual, data);  //= @ /step/density 200000 200000 read
    H5Dread(set, H5T_NATIVE_FLOAT, H5S_ALL, space, usual, data);  //= @ /step/density 200000 200000 read
    H5Dclose(set);  //= @ /step/density 0 0 close
    H5E_BEGIN_TRY { H5Dopen2(group, "pressure", usual); } H5E_END_TRY
    H5Gclose(group);  //= @ /step 0 0 close
    H5Fflush(file, H5F_SCOPE_LOCAL);  //= @ fields.h5 0 0 sync
    H5Fclose(file);  //= @ fields.h5 0 0 close
    return 0;
}
"""


@BOTH
def test_a_serial_program(tmp_path: Path, mpi: Mpi) -> None:
    program = compiled(tmp_path, SERIAL, mpi, flags=hdf5_flags(mpi))
    (process,) = record_ranks(tmp_path, [program], 1, mpi)
    hdf5 = rows(process, "HDF5")
    done = [row for row in hdf5 if row.result >= 0]
    assert_told(SERIAL, columns(done, "call", "name", "length", "result", "kind"))
    failed = one(hdf5, "H5Dopen2")
    assert (failed.name, failed.result) == ("/step", -1)
    files = process.names.files
    (dataset,) = (file for file in files.values() if file.name == "/step/density")
    assert Path(files[dataset.parent].name).name == "fields.h5"
    pieces = [row for row in hdf5 if row.call == "H5Dwrite"]
    below = inside(process, pieces[1], "POSIX")
    assert [(row.kind, row.name, row.length) for row in below] == [("write", "fields.h5", 200_000)]


TWO_FILES = """
static void write_to(char const *name, int count) {
    hsize_t size = count;
    hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate_simple(1, &size, NULL);
    hid_t set = H5Dcreate2(file, "density", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    H5Dclose(set);
    H5Fclose(file);
}
int main(void) {
    write_to("one.h5", 10);
    write_to("two.h5", 20);
    return 0;
}
"""


@BOTH
def test_datasets_of_one_name_in_two_files(tmp_path: Path, mpi: Mpi) -> None:
    program = compiled(tmp_path, TWO_FILES, mpi, flags=hdf5_flags(mpi))
    (process,) = record_ranks(tmp_path, [program], 1, mpi)
    files = process.names.files
    calls = {number for number, call in process.names.calls.items() if call.name == "H5Dwrite"}
    written = []
    for stream in process.streams:
        for one_record in stream.records[np.isin(stream.records["call"], list(calls))]:
            dataset = files[int(one_record["file"])]
            written.append((Path(files[dataset.parent].name).name, dataset.name, int(one_record["length"])))
    assert written == [("one.h5", "/density", 40), ("two.h5", "/density", 80)]


PARALLEL = """
hsize_t size = 1000 * ranks, start = 1000 * rank, count = 1000;
hid_t access = H5Pcreate(H5P_FILE_ACCESS), transfer = H5Pcreate(H5P_DATASET_XFER);
H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
hid_t file = H5Fcreate("fields.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
hid_t space = H5Screate_simple(1, &size, NULL), piece = H5Screate_simple(1, &count, NULL);
hid_t set = H5Dcreate2(file, "x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL);
H5Dwrite(set, H5T_NATIVE_DOUBLE, piece, space, transfer, data);
H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
H5Dwrite(set, H5T_NATIVE_DOUBLE, piece, space, transfer, data);
H5Dclose(set);
H5Fclose(file);
"""


@BOTH
def test_a_parallel_program(tmp_path: Path, mpi: Mpi) -> None:
    """MPI-IO and POSIX stand inside the calls of HDF5 that caused them."""
    program = compiled(tmp_path, PARALLEL, mpi, flags=hdf5_flags(mpi))
    processes = record_ranks(tmp_path, [program], 2, mpi)
    written = 0
    for process in processes:
        hdf5 = rows(process, "HDF5")
        alone, together = (row for row in hdf5 if row.call == "H5Dwrite")
        assert (alone.name, alone.result, alone.flags) == ("/x", 8000, 0)
        assert (together.name, together.result, together.flags) == ("/x", 8000, COLLECTIVE)
        below = [row for row in inside(process, alone, "MPI-IO") if row.kind == "write"]
        assert columns(below, "call") == [("MPI_File_write_at",)]
        below = [row for row in inside(process, together, "MPI-IO") if row.kind == "write"]
        assert columns(below, "call", "name", "result") == [("MPI_File_write_at_all", "fields.h5", 8000)]
        written += sum(row.result for row in inside(process, together, "POSIX") if row.kind == "write")
        opened = one(hdf5, "H5Fcreate")
        assert "MPI_File_open" in {row.call for row in inside(process, opened, "MPI-IO")}
    assert written == 16000


WITH_H5PY = """
import h5py, numpy
with h5py.File("fields.h5", "w") as file:
    file["step/density"] = numpy.arange(1000, dtype="f8")
    file["step/density"].attrs["unit"] = 7
with h5py.File("fields.h5") as file:
    assert file["step/density"][10:20].sum() == 145
    assert file["step/density"].attrs["unit"] == 7
print(h5py.version.hdf5_version)
"""


def recorded_python(tmp_path: Path, text: str) -> list[Row]:
    """Run Python under the recorder in an empty folder; HDF5's calls."""
    done = run([sys.executable, "-c", text], tmp_path)
    assert done.returncode == 0, done.stderr
    assert "weir:" not in done.stderr
    return [row for process in read_trace(tmp_path / "trace") for row in rows(process, "HDF5")]


def test_h5py_with_an_hdf5_of_its_own(tmp_path: Path) -> None:
    pytest.importorskip("h5py")
    hdf5 = recorded_python(tmp_path, WITH_H5PY)
    transfers = [row for row in hdf5 if row.kind in {"read", "write"} and row.level == 0]
    assert set(columns(transfers, "call", "name", "result")) >= {
        ("H5Dwrite", "/step/density", 8000),
        ("H5Dread", "/step/density", 80),
        ("H5Awrite", "/step/density@unit", 8),
        ("H5Aread", "/step/density@unit", 8),
    }
    opened = [row.call for row in hdf5 if row.name == "fields.h5" and row.kind == "open"]
    assert opened == ["H5Fcreate", "H5Fopen"]


def test_two_copies_of_hdf5_in_one_process(tmp_path: Path) -> None:
    """The wheels of h5py and netCDF4 bring one each: every call goes to its caller's own."""
    pytest.importorskip("h5py")
    pytest.importorskip("netCDF4")
    hdf5 = recorded_python(
        tmp_path,
        """
import h5py, netCDF4, numpy
with netCDF4.Dataset("climate.nc", "w") as dataset:
    dataset.createDimension("x", 100)
    dataset.createVariable("t", "f4", ("x",))[:] = numpy.arange(100)
with h5py.File("fields.h5", "w") as file:
    file["u"] = numpy.arange(100, dtype="f8")
with h5py.File("climate.nc") as file, netCDF4.Dataset("climate.nc") as dataset:
    assert file["t"][7] == dataset["t"][7] == 7
""",
    )
    written = {(row.name, row.result) for row in hdf5 if row.call == "H5Dwrite"}
    assert {("/t", 400), ("/u", 800)} <= written
    assert {row.name for row in hdf5 if row.call == "H5Dread"} >= {"/t"}


def test_the_child_of_a_fork_and_threads(tmp_path: Path) -> None:
    """Names have other numbers in a child; each file is closed once."""
    pytest.importorskip("h5py")
    hdf5 = recorded_python(
        tmp_path,
        """
import os, threading, h5py, numpy
def write(name):
    with h5py.File(name, "w") as file:
        file["x"] = numpy.arange(20.0)
with h5py.File("parent.h5", "w") as file:
    file["a"] = numpy.arange(10.0)
    child = os.fork()
    if child == 0:
        write("child.h5")
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    file["a"][2:4] = 1
threads = [threading.Thread(target=write, args=(f"thread{i}.h5",)) for i in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
""",
    )
    written = sorted((row.name, row.result) for row in hdf5 if row.call == "H5Dwrite")
    assert written == [("/a", 16), ("/a", 80), *[("/x", 160)] * 4]
    files = ["child.h5", "parent.h5", "thread0.h5", "thread1.h5", "thread2.h5"]
    for kind in ("open", "close"):
        assert sorted(row.name for row in hdf5 if row.kind == kind and row.name in files) == files
