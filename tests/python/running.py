"""Other programs that tests run."""

import subprocess
from pathlib import Path
from typing import Any


def ended(*command: str | Path, **how: Any) -> "subprocess.CompletedProcess[str]":
    """How a command ended, and what it said; `how` as subprocess.run takes it."""
    return subprocess.run(command, capture_output=True, text=True, check=False, **{"timeout": 300, **how})
