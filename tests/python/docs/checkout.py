"""A checkout in which a document's commands are typed: this one, but for what they may change.

What its commands change are copies. What installs packages or builds for minutes is a stand-in of no effect,
since this checkout is set up and built already.
"""

import os
import shutil
from pathlib import Path

from documents import ROOT

from open_mpi import AS_ROOT_TOO

SOURCES = ("docs", "examples", "fortran", "include", "packaging", "python", "src", "studies", "tests")
LEFT_OUT = ("runs", "scratch", ".git", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis")
STAND_INS = ("setup", "build")
LIMIT = "1s"


def make_checkout(folder: Path, commands: str) -> Path:
    """The checkout, in the folder. What the commands name is copied, since they may change it; the rest is
    linked."""
    for path in ROOT.iterdir():
        if path.name == "scripts" or (path.name in SOURCES and f"{path.name}/" in commands):
            shutil.copytree(path, folder / path.name)
        elif path.name not in LEFT_OUT:
            (folder / path.name).symlink_to(path.resolve())
    for name in STAND_INS:
        stand_in = folder / "scripts" / name
        stand_in.write_text("#!/bin/sh\nexit 0\n")
        stand_in.chmod(0o755)
    return folder


def environment(home: Path) -> dict[str, str]:
    """What the commands find: the tools as after `activate`, a person's home and scratch directory, and a
    short time for all measurements."""
    scratch = home / "scratch"
    scratch.mkdir(parents=True)
    tools = [ROOT / "build/release/bin", ROOT / ".venv/bin"]
    return {
        **os.environ,
        **AS_ROOT_TOO,
        "PATH": os.pathsep.join([*map(str, tools), os.environ["PATH"]]),
        "HOME": str(home),
        "SCRATCH": str(scratch),
        "WEIR_BUDGET_LIMIT": LIMIT,
        "LC_ALL": "C.UTF-8",
        # More ranks than cores, as on a reader's larger machine.
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
        "OMPI_MCA_mpi_yield_when_idle": "1",
        # pip says what it would install, from what is here, and changes nothing.
        "PIP_DRY_RUN": "1",
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
