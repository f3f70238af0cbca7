"""Weir's verbs for tests: in a process of their own, or in this one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from running import ended
from weir.cli._app import build_app

WEIR = (sys.executable, "-m", "weir.cli.main")


def weir_process(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """The verb as a person starts it."""
    return ended(*WEIR, *arguments, timeout=120, env={**os.environ, **env})


def weir_here(*words: object) -> Result:
    """The verb in this process."""
    return CliRunner().invoke(build_app(), [str(word) for word in words])


def weir_ended(*arguments: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
    """The verb in this process, which takes a second less than one of its own, told as that would be."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in env.items():
            patch.setenv(name, value)
        done = weir_here(*arguments)
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)


def weir_told(*arguments: str | Path) -> str:
    """What the verb, which must succeed, prints; in this process."""
    done = weir_ended(*arguments)
    assert done.returncode == 0, f"{arguments}\n{done.stdout}\n{done.stderr}"
    return done.stdout
