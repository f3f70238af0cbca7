"""Starting a Python program of this folder on ranks, with the package and the library of the checkout."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from running import ended
from weir.errors import WeirError
from weir.launch.base import LaunchSpec
from weir.launch.mpirun import Mpirun

FOLDER = Path(__file__).parent
LIBRARY = FOLDER.parents[2] / "build" / "release" / "lib" / "libweir_array.so.0"


def launched(
    program: str, *arguments: str, ranks: int, folder: Path, limit_s: int
) -> subprocess.CompletedProcess[str]:
    """The program, ended, in this folder. Skips the test where something that it needs is missing."""
    for needed in ("mpi4py", "numpy"):
        pytest.importorskip(needed, reason=f"{needed} is not installed: pip install -e '.[array]'")
    if not LIBRARY.exists():
        pytest.skip(f"{LIBRARY} is not built")
    launcher = Mpirun()
    try:
        launcher.prepare()
    except WeirError as error:
        pytest.skip(str(error))
    command = launcher.command(LaunchSpec(ranks=ranks), (sys.executable, str(FOLDER / program), *arguments))
    env = {**os.environ, **command.env, "WEIR_ARRAY_LIBRARY": str(LIBRARY)}
    return ended("timeout", str(limit_s), *command.argv, cwd=folder, env=env, timeout=None)
