"""Weir's verbs for tests: in a process of their own, or in this one."""

import os
import subprocess
import sys

from typer.testing import CliRunner, Result

from weir.cli._app import build_app

WEIR = (sys.executable, "-m", "weir.cli.main")


def weir_process(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """The verb as a person starts it."""
    command = [*WEIR, *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, env={**os.environ, **env}
    )


def weir_here(*words: object) -> Result:
    """The verb in this process."""
    return CliRunner().invoke(build_app(), [str(word) for word in words])
