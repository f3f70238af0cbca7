"""Arrays in files of other formats: what the library writes, other programs read, and the other way round.

The examples are built against an installed Weir and run on ranks: they write and read back. Beside them stand
the formats' own tools, h5py and netCDF4.
"""

import shutil
from pathlib import Path
from typing import Any

import pytest

from ..conftest import ROOT
from ..real_programs import on_ranks, run, told_by

WARNINGS = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
SHAPE = (64, 48, 32)
STEP = (16, 48, 32)


def built(name: str, package: str, libraries: Path, tmp_path: Path) -> Path:
    """An example, built with what pkg-config tells; skips where its library was left out of the build."""
    if not (libraries / f"lib{package.replace('-', '_')}.so").exists():
        pytest.skip(f"this build is without {package}: configuring it said why")
    found = run("pkg-config", "--cflags", "--libs", package, PKG_CONFIG_PATH=str(libraries / "pkgconfig"))
    program = tmp_path / name
    path = f"-Wl,-rpath,{libraries}"
    run("mpicc", *WARNINGS, ROOT / "examples" / "array" / f"{name}.c", *found.split(), path, "-o", program)
    return program


def run_on_ranks(program: Path, path: Path, ranks: int = 4) -> None:
    """Run an example, which must find what it has written."""
    command = on_ranks(ranks, program, path)
    assert run(*command.argv, **command.env) == "0 elements are wrong\n"


@pytest.fixture
def to_hdf5(libraries: Path, tmp_path: Path) -> Path:
    """The example for HDF5."""
    return built("dump_hdf5", "weir-hdf5", libraries, tmp_path)


@pytest.fixture
def to_netcdf(libraries: Path, tmp_path: Path) -> Path:
    """The example for netCDF."""
    return built("dump_netcdf", "weir-pnetcdf", libraries, tmp_path)


def test_h5dump_reads_what_was_written(to_hdf5: Path, tmp_path: Path) -> None:
    dump = tmp_path / "dump.h5"
    run_on_ranks(to_hdf5, dump)
    told = told_by("h5dump", "-d", "/fields/density[63,47,29;;1,1,3;]", dump)
    assert "H5T_IEEE_F64LE" in told
    assert "(63,47,29): 98301, 98302, 98303" in told
    assert "(0): 2.5" in told_by("h5dump", "-d", "/time", dump)
    assert "CONTIGUOUS" in told_by("h5dump", "-p", "-H", dump)


def test_h5py_reads_what_was_written(to_hdf5: Path, tmp_path: Path) -> None:
    h5py, np = pytest.importorskip("h5py"), pytest.importorskip("numpy")
    run_on_ranks(to_hdf5, tmp_path / "dump.h5")
    with h5py.File(tmp_path / "dump.h5") as file:
        assert (file["fields/density"][...] == np.arange(98304.0).reshape(SHAPE)).all()
        assert file["time"][...].tolist() == [2.5]


@pytest.mark.parametrize(
    "how",
    [{}, {"dtype": ">f8"}, {"chunks": (20, 48, 10)}, {"chunks": (16, 16, 16), "compression": "gzip"}],
    ids=["no-place-yet", "big-endian", "chunks", "compressed"],
)
def test_datasets_made_by_h5py_are_written_as_they_are(
    how: dict[str, Any], to_hdf5: Path, tmp_path: Path
) -> None:
    h5py, np = pytest.importorskip("h5py"), pytest.importorskip("numpy")
    with h5py.File(tmp_path / "dump.h5", "w") as file:
        density = file.create_dataset("fields/density", SHAPE, **{"dtype": "<f8", **how})
        density.attrs["units"] = "kg m-3"
        kind, chunks = density.dtype, density.chunks
    run_on_ranks(to_hdf5, tmp_path / "dump.h5", ranks=3)
    with h5py.File(tmp_path / "dump.h5") as file:
        density = file["fields/density"]
        assert (density[...] == np.arange(98304.0).reshape(SHAPE)).all()
        assert (density.attrs["units"], density.dtype, density.chunks) == ("kg m-3", kind, chunks)


def test_ncdump_and_ncvalidator_read_what_was_written(to_netcdf: Path, tmp_path: Path) -> None:
    dump = tmp_path / "dump.nc"
    run_on_ranks(to_netcdf, dump)
    assert "is a valid NetCDF" in told_by("ncvalidator", dump)
    told = told_by("ncmpidump" if shutil.which("ncdump") is None else "ncdump", "-v", "density", dump)
    assert "time = UNLIMITED ; // (3 currently)" in told
    assert "double density(time, z, y, x) ;" in told
    assert "short mask(z, y, x) ;" in told
    assert "24576, 24577 ;" in told


def test_netcdf4_reads_what_was_written(to_netcdf: Path, tmp_path: Path) -> None:
    netcdf, np = pytest.importorskip("netCDF4"), pytest.importorskip("numpy")
    run_on_ranks(to_netcdf, tmp_path / "dump.nc")
    with netcdf.Dataset(tmp_path / "dump.nc") as file:
        assert file.data_model == "NETCDF3_64BIT_DATA"
        places = np.arange(24576.0).reshape(STEP)
        for step in range(3):
            assert (file["density"][step] == places + step).all()
        assert (file["mask"][...] == places % 3).all()


@pytest.mark.parametrize("version", ["NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA"])
def test_variables_made_by_netcdf4_are_written_as_they_are(
    version: str, to_netcdf: Path, tmp_path: Path
) -> None:
    netcdf, np = pytest.importorskip("netCDF4"), pytest.importorskip("numpy")
    with netcdf.Dataset(tmp_path / "dump.nc", "w", format=version) as file:
        for name, length in zip(("t", "w", "v", "u"), (None, *STEP), strict=True):
            file.createDimension(name, length)
        density = file.createVariable("density", "f8", ("t", "w", "v", "u"))
        density.units = "kg m-3"
        other = file.createVariable("other", "i2", ("t", "u"))
        other[0] = np.arange(32)
    run_on_ranks(to_netcdf, tmp_path / "dump.nc", ranks=3)
    with netcdf.Dataset(tmp_path / "dump.nc") as file:
        assert (file["density"][2] == np.arange(24576.0).reshape(STEP) + 2).all()
        assert file["density"].units == "kg m-3"
        assert (file["other"][0] == np.arange(32)).all()
    assert "is a valid NetCDF" in told_by("ncvalidator", tmp_path / "dump.nc")


def test_netcdf4_files_are_left_to_the_library_for_hdf5(to_hdf5: Path, tmp_path: Path) -> None:
    netcdf, np = pytest.importorskip("netCDF4"), pytest.importorskip("numpy")
    with netcdf.Dataset(tmp_path / "dump.nc", "w") as file:
        fields = file.createGroup("fields")
        for name, length in zip(("z", "y", "x"), SHAPE, strict=True):
            fields.createDimension(name, length)
        fields.createVariable("density", "f8", ("z", "y", "x"), contiguous=True)
        file.createDimension("one", 1)
        file.createVariable("time", "f8", ("one",))
    run_on_ranks(to_hdf5, tmp_path / "dump.nc")
    with netcdf.Dataset(tmp_path / "dump.nc") as file:
        assert (file["fields/density"][...] == np.arange(98304.0).reshape(SHAPE)).all()
        assert file["time"][0] == 2.5
