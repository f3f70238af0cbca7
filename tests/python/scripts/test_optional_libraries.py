"""Libraries that are missing, serial or another MPI's: the build leaves out what needs them, and says why.

The CMake files of back-ends and of libraries for formats are run as scripts, with stand-ins for those.
"""

from pathlib import Path

import pytest

from running import ended

ROOT = Path(__file__).resolve().parents[3]

STAND_INS = """
cmake_minimum_required(VERSION 3.22)
macro(find_package name)
  {found}
endmacro()
macro(pkg_check_modules name)
  {found}
endmacro()
function(weir_backend name)
  message("built ${{name}}")
endfunction()
function(weir_backend_left_out name reason)
  message("left out ${{name}}: ${{reason}}")
endfunction()
function(weir_format name)
  message("built the library ${{name}} with ${{ARGN}}")
endfunction()
function(weir_format_left_out name reason)
  message("left out the library ${{name}}: ${{reason}}")
endfunction()
set(CMAKE_MODULE_PATH {root}/cmake)
set(CMAKE_READELF {readelf})
set(MPI_C_LIBRARIES /ours/libmpi.so)
include({root}/src/{folder}/CMakeLists.txt)
"""
READELF = """#!/bin/sh
case $2 in
/ours/libmpi.so) echo ' 0x0e (SONAME)  Library soname: [libmpi.so.40]' ;;
/same/*) printf ' 0x01 (NEEDED)  Shared library: [%s]\\n' libm.so.6 libmpi_cxx.so.40 libmpi.so.40 ;;
/other/*) printf ' 0x01 (NEEDED)  Shared library: [%s]\\n' libm.so.6 libmpich.so.12 ;;
/silent/*) printf ' 0x01 (NEEDED)  Shared library: [%s]\\n' libm.so.6 ;;
*) echo 'not an ELF file' >&2; exit 1 ;;
esac
"""
HDF5 = """set(HDF5_FOUND TRUE)
set(HDF5_IS_PARALLEL {parallel})
set(HDF5_C_LIBRARIES /{where}/libhdf5.so /usr/libm.so)
set(HDF5_C_INCLUDE_DIRS /{where}/include)"""

PNETCDF = "set(PNETCDF_FOUND TRUE)\nset(PNETCDF_LINK_LIBRARIES /{where}/libpnetcdf.so)"


def configure(part: str, found: str, tmp_path: Path) -> str:
    """What CMake says of a folder of src/ where looking for its library has this effect."""
    readelf = tmp_path / "readelf"
    readelf.write_text(READELF)
    readelf.chmod(0o755)
    script = tmp_path / "script.cmake"
    script.write_text(STAND_INS.format(found=found, root=ROOT, readelf=readelf, folder=part))
    done = ended("cmake", "-P", script, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    return done.stderr.strip()


HDF5_ABSENT, PNETCDF_ABSENT = "set(HDF5_FOUND FALSE)", "set(PNETCDF_FOUND FALSE)"
OTHER_MPI = "built against another MPI (libmpich.so.12) than Weir"
SERIAL = HDF5.format(parallel="FALSE", where="same")
PARALLEL = {
    where: HDF5.format(parallel="TRUE", where=where) for where in ("same", "silent", "static", "other")
}
OF_BACKENDS = [
    ("hdf5", HDF5_ABSENT, "left out hdf5: no HDF5 was found; install libhdf5-openmpi-dev"),
    ("hdf5", SERIAL, "left out hdf5: the HDF5 that was found was built without MPI"),
    ("hdf5", PARALLEL["other"], OTHER_MPI),
    *(("hdf5", PARALLEL[where], "built hdf5") for where in ("same", "silent", "static")),
    ("pnetcdf", PNETCDF_ABSENT, "left out pnetcdf: no PnetCDF was found; install libpnetcdf-dev"),
    ("pnetcdf", PNETCDF.format(where="other"), OTHER_MPI),
    ("pnetcdf", PNETCDF.format(where="same"), "built pnetcdf"),
]
OF_FORMATS = [
    ("hdf5", HDF5_ABSENT, "left out the library hdf5: no HDF5 was found; install libhdf5-openmpi-dev"),
    ("hdf5", HDF5.format(parallel="FALSE", where="silent"), "built the library hdf5"),
    ("hdf5", PARALLEL["other"], OTHER_MPI),
    ("hdf5", PARALLEL["same"], "built the library hdf5 with INCLUDES;/same/include;LINK;/same/libhdf5.so"),
    ("pnetcdf", PNETCDF_ABSENT, "left out the library pnetcdf: no PnetCDF was found; install libpnetcdf-dev"),
    ("pnetcdf", PNETCDF.format(where="other"), OTHER_MPI),
    ("pnetcdf", PNETCDF.format(where="same"), "built the library pnetcdf"),
]


@pytest.mark.parametrize(("name", "found", "said"), OF_BACKENDS)
def test_a_back_end_needs_a_library_of_the_same_mpi(name: str, found: str, said: str, tmp_path: Path) -> None:
    assert said in configure(f"storage/backends/{name}", found, tmp_path)


@pytest.mark.parametrize(("name", "found", "said"), OF_FORMATS)
def test_a_library_for_a_format_takes_a_serial_one_too(
    name: str, found: str, said: str, tmp_path: Path
) -> None:
    assert said in configure(f"array_formats/{name}", found, tmp_path)


def test_a_back_end_that_is_left_out_is_compiled_with_its_reason(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\nproject(tiny NONE)\n"
        f"include({ROOT}/cmake/WeirTargets.cmake)\n"
        "add_library(weir_storage INTERFACE)\nset(CMAKE_CXX_COMPILE_OBJECT none)\n"
        'weir_backend_left_out(some "no library (of any kind); install one")\n'
    )
    done = ended("cmake", "-S", project, "-B", tmp_path / "build")
    source = (tmp_path / "build" / "left_out_some.cpp").read_text()
    assert "[[maybe_unused]]" in source, done.stderr
    assert 'emplace("some", R"(no library (of any kind); install one)")' in source
