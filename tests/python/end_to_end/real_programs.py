"""Other programs that tests run."""

import os
import subprocess
from pathlib import Path


def run(*command: str | Path, **env: str) -> str:
    """What a command that must succeed prints."""
    done = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env={**os.environ, **env},
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout
