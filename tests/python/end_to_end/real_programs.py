"""Other programs that must succeed."""

import os
from pathlib import Path

from running import ended


def run(*command: str | Path, **env: str) -> str:
    """What a command that must succeed prints."""
    done = ended(*command, env={**os.environ, **env}, timeout=600)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout
