"""No Fortran compiler, an old one, no modules of the MPI: the Fortran module is left out, and why is said.

The build's own CMake file is run as a script, with stand-ins for what looks for compilers and libraries.
"""

from pathlib import Path
from typing import Any

import pytest

from running import ended

ROOT = Path(__file__).resolve().parents[3]

STAND_INS = """
cmake_minimum_required(VERSION 3.22)
set(CMAKE_MODULE_PATH {folder})
function(enable_language name)
endfunction()
macro(find_package name)
  set(MPI_Fortran_FOUND {modules})
endmacro()
set(CMAKE_Fortran_COMPILER_ID {family})
set(CMAKE_Fortran_COMPILER_VERSION {version})
include({root}/cmake/WeirFortran.cmake)
message("built: ${{WEIR_FORTRAN}}")
"""


def configure(  # noqa: PLR0913
    folder: Path,
    *,
    compiler: str = "gfortran",
    family: str = "GNU",
    version: str = "12.2",
    modules: bool = True,
    header: bool = True,
) -> str:
    """What CMake says where it finds this."""
    (folder / "CheckLanguage.cmake").write_text(
        f"macro(check_language name)\n  set(CMAKE_Fortran_COMPILER {compiler})\nendmacro()\n"
    )
    (folder / "CheckIncludeFile.cmake").write_text(
        f"macro(check_include_file name variable)\n  set(${{variable}} {header})\nendmacro()\n"
    )
    script = folder / "script.cmake"
    script.write_text(
        STAND_INS.format(folder=folder, family=family, version=version, modules=modules, root=ROOT)
    )
    done = ended("cmake", "-P", script)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("found", [{}, {"family": "Flang", "version": "9.0"}])
def test_built(found: dict[str, Any], tmp_path: Path) -> None:
    said = configure(tmp_path, **found)
    assert "built: ON" in said
    assert "without" not in said


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"compiler": "NOTFOUND"}, "no Fortran compiler was found; install gfortran"),
        ({"version": "11.4"}, "gfortran 11.4 cannot pass arrays"),
        ({"modules": False}, "the MPI that was found has no Fortran modules for gfortran"),
        ({"header": False}, "the C compiler does not find ISO_Fortran_binding.h"),
    ],
)
def test_left_out(found: dict[str, str], said: str, tmp_path: Path) -> None:
    told = configure(tmp_path, **found)
    assert f"Weir: without the Fortran module: {said}" in told
    assert "built: OFF" in told
