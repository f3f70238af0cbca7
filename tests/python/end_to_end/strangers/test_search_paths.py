"""Where what is built and what is installed look for libraries: in absolute places, or beside themselves."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..conftest import ROOT, need_real_programs
from ..real_programs import run

BUILD = ROOT / "build" / "release"


def programs_in(*folders: Path) -> list[Path]:
    """All that the system's loader would load: programs, libraries, modules."""
    return [
        path
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink() and path.open("rb").read(4) == b"\x7fELF"
    ]


def entries_of(program: Path) -> Iterator[str]:
    """The entries of its RPATH and RUNPATH. The loader takes an empty one for the current directory."""
    for path in re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", run("readelf", "-d", program)):
        yield from path.split(":")


@pytest.fixture(scope="module", name="everything")
def _everything(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """What is built, its tests too, and what `cmake --install` makes of it."""
    need_real_programs()
    if shutil.which("readelf") is None:
        pytest.skip("there is no readelf")
    prefix = tmp_path_factory.mktemp("prefix")
    for component in ("array", "trace", "workbench"):
        run("cmake", "--install", BUILD, "--prefix", prefix, "--component", component)
    return programs_in(BUILD / "bin", BUILD / "lib", prefix)


def test_no_search_path_has_an_empty_or_relative_entry(everything: list[Path]) -> None:
    assert {"weir-core", "libweir_array.so.0.1.0"} <= {path.name for path in everything}
    odd = {
        str(program): entry
        for program in everything
        for entry in entries_of(program)
        if re.match(r"/|\$ORIGIN(/|$)", entry) is None
    }
    assert odd == {}


def test_what_is_installed_does_not_look_into_the_build(everything: list[Path]) -> None:
    installed = [program for program in everything if BUILD not in program.parents]
    assert {"weir-core", "libweir-trace.so"} <= {path.name for path in installed}
    assert [one for one in installed if any(str(ROOT) in entry for entry in entries_of(one))] == []
    assert [one for one in installed if "not found" in run("ldd", one)] == []
