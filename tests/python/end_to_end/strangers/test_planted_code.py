"""Root works in a directory where another user has left libraries and files of options: none is taken."""

import os
from pathlib import Path

import pytest

from others import give_away, needs_root
from running import ended

from ..conftest import CORE
from ..real_core import AS_ROOT_TOO
from ..real_programs import run

pytestmark = needs_root

LOADED = "loaded"
LIBRARY = """
#include <fcntl.h>
__attribute__((constructor)) static void be_loaded(void) { open(MARK, O_CREAT | O_WRONLY, 0600); }
"""
BY_NAME = [
    *("libopenblas.so.0", "libopenblas.so", "libmkl_rt.so.2", "libmkl_rt.so.1", "libblis.so.4"),
    *("libblas.so.3", "libblas.so", "libfftw3.so.3", "libfftw3.so"),
]
"""Libraries that weir-core loads when it needs them."""


@pytest.fixture(name="planted")
def _planted(place: Path) -> Path:
    """The current folder, of another user, with a library that says when it is loaded, by every name that
    weir-core looks for. Returns where it says so."""
    marks = place / "marks"
    marks.mkdir()
    Path("evil.c").write_text(LIBRARY)
    run("cc", f'-DMARK="{marks / LOADED}"', "-shared", "-fPIC", "evil.c", "-o", "evil.so")
    needed = [line.split()[0] for line in run("ldd", CORE).splitlines()]
    for name in {*BY_NAME, *(Path(name).name for name in needed)}:
        Path(name).hardlink_to("evil.so")
    give_away(place)
    return marks / LOADED


def core(*words: str, **env: str) -> str:
    """What weir-core says in the current folder, which may be an error."""
    done = ended(str(CORE), *words, env={**os.environ, **AS_ROOT_TOO, **env})
    return done.stdout + done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["machine"],
        ["hpl", "--size", "64", "--block", "16", "--repetitions", "1"],
        ["fft", "--size", "1024", "--library", "fftw", "--repetitions", "1"],
    ],
    ids=lambda words: words[0],
)
def test_no_library_of_the_current_directory_is_loaded(words: list[str], planted: Path) -> None:
    core(*words)
    assert not planted.exists()


def test_nor_by_an_empty_entry_of_the_users_own_search_path(planted: Path) -> None:
    """Which `LD_LIBRARY_PATH=$LD_LIBRARY_PATH:/opt/lib` makes. What the program is linked with, the loader
    looks up before Weir can say anything; what Weir loads later it checks."""
    for name in {path.name for path in Path().glob("*.so*")} - {*BY_NAME}:
        Path(name).unlink()
    said = core("hpl", "--size", "64", "--block", "16", LD_LIBRARY_PATH=":/opt/lib")
    assert "LD_LIBRARY_PATH has an entry that is no absolute path" in said, said
    assert not planted.exists()


def test_petsc_reads_no_options_of_the_current_directory(planted: Path) -> None:
    if not list((CORE.parents[1] / "lib").glob("weir-aquifer-flow*")):
        pytest.skip("this build is without PETSc")
    wanted = planted.with_name("written")
    Path(".petscrc").write_text(f"-log_view :{wanted}\n-dll_append {Path('evil.so').absolute()}\n")
    Path("mine").mkdir()
    said = core("aquifer", "--model", "flow", "--cells", "6x6x4", "--steps", "1", "--dir", "mine")
    assert '"exit_code":0' in said, said
    assert not planted.exists() and not wanted.exists()
