"""Other programs that must succeed, alone or on ranks."""

import functools
import os
import shutil
from pathlib import Path

import pytest

from running import ended
from weir.launch.base import Command, LaunchSpec
from weir.launch.mpirun import Mpirun


def run(*command: str | Path, **env: str) -> str:
    """What a command that must succeed prints."""
    done = ended(*command, env={**os.environ, **env}, timeout=600)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def told_by(tool: str, *arguments: str | Path) -> str:
    """What a program says; skips where it is not installed."""
    if shutil.which(tool) is None:
        pytest.skip(f"there is no {tool}")
    return run(tool, *arguments)


def on_ranks(ranks: int, *program: str | Path) -> Command:
    """The command that starts a program under mpirun."""
    return _mpirun().command(LaunchSpec(ranks), tuple(map(str, program)))


@functools.cache
def _mpirun() -> Mpirun:
    launcher = Mpirun()
    launcher.prepare()
    return launcher
