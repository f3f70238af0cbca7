"""The two-phase library as an application gets it: installed, moved, found by pkg-config and by CMake.

Each example is built and run on four ranks; what it leaves in the file is compared with what is wanted there.
"""

import array
import re
import shutil
import sys
from pathlib import Path

import pytest

from ..conftest import ROOT
from ..real_programs import on_ranks, run

ELEMENTS = 64 * 48 * 32
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")
COMPILERS = {
    "c": ("mpicc", "-std=c99", *WARNINGS),
    # Without the removed C++ interface of MPI, whose headers would be warned of.
    "cpp": ("mpicxx", "-std=c++17", "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX", *WARNINGS),
    "f90": ("mpifort",),
}


def run_on_ranks(program: list[str | Path], folder: Path, **env: str) -> None:
    """Run an example on four ranks; it must find its data right, and the file must be the serial one."""
    dump = folder / "density.raw"
    dump.unlink(missing_ok=True)
    command = on_ranks(4, *program, dump)
    assert "0 elements are wrong" in run(*command.argv, **command.env, **env)
    assert dump.read_bytes() == array.array("d", range(ELEMENTS)).tobytes()


def need_fortran(libraries: Path) -> None:
    """Skip where the Fortran module was left out of the build."""
    if not (libraries / "libweir_array_fortran.so").exists():
        pytest.skip("this build is without the Fortran module: configuring it said why")


def test_only_the_library_is_installed(prefix: Path) -> None:
    assert not (prefix / "bin").exists()


def test_the_c_interface_is_visible_and_nothing_else_of_weir(prefix: Path, libraries: Path) -> None:
    symbols = run("nm", "-D", "--defined-only", libraries / "libweir_array.so").split()
    (header,) = prefix.rglob("array.h")
    declared = set(re.findall(r"\b(weir_\w+)\(", header.read_text()))
    assert declared - {"weir_target"} <= set(symbols)
    assert [symbol for symbol in symbols if symbol.startswith("_ZN4weir")] == []


@pytest.mark.parametrize("language", COMPILERS)
def test_example_with_pkg_config(language: str, libraries: Path, tmp_path: Path) -> None:
    package = "weir-array"
    if language == "f90":
        need_fortran(libraries)
        package = "weir-array-fortran"
    compiler, *options = COMPILERS[language]
    if shutil.which(compiler) is None:
        pytest.skip(f"there is no {compiler}")
    found = run("pkg-config", "--cflags", "--libs", package, PKG_CONFIG_PATH=str(libraries / "pkgconfig"))
    example = ROOT / "examples" / "array" / f"dump.{language}"
    run(compiler, *options, example, *found.split(), "-o", tmp_path / "dump")
    run_on_ranks([tmp_path / "dump"], tmp_path, LD_LIBRARY_PATH=str(libraries))


@pytest.fixture(scope="module")
def built_by_cmake(prefix: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The examples' own CMake project, from where it was installed to, built."""
    (project,) = prefix.rglob("examples/array")
    folder = tmp_path_factory.mktemp("build")
    run("cmake", "-S", project, "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", folder)
    return folder


@pytest.mark.parametrize("language", ["c", "cpp", "fortran"])
def test_example_with_cmake(language: str, built_by_cmake: Path, libraries: Path, tmp_path: Path) -> None:
    if language == "fortran":
        need_fortran(libraries)
    run_on_ranks([built_by_cmake / f"dump_{language}"], tmp_path)


@pytest.mark.parametrize("language", ["C", "CXX", "Fortran"])
def test_a_project_in_one_language_finds_it(
    language: str, prefix: Path, libraries: Path, tmp_path: Path
) -> None:
    component = "array"
    if language == "Fortran":
        need_fortran(libraries)
        component = "array_fortran"
    (tmp_path / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.22)\nproject(one LANGUAGES {language})\n"
        f"find_package(weir 0.1 REQUIRED COMPONENTS {component})\n"
    )
    run("cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}")


def test_python_example(prefix: Path, libraries: Path, tmp_path: Path) -> None:
    for needed in ("mpi4py", "numpy"):
        pytest.importorskip(needed, reason=f"{needed} is not installed: pip install -e '.[array]'")
    package = str(libraries / "weir" / "python")
    found = run(
        sys.executable, "-c", "import weir_array; print(weir_array.find_library())", PYTHONPATH=package
    )
    assert Path(found.strip()).parent == libraries
    run_on_ranks([sys.executable, ROOT / "examples" / "array" / "dump.py"], tmp_path, PYTHONPATH=package)
