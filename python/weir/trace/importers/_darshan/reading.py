"""Starts the process that reads a log, and takes what it has read."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec
import numpy as np

from weir.errors import WeirError
from weir.trace.importers._darshan.log import SEGMENT, Facts, Log

CHILD = "weir.trace.importers._darshan.child"


def read_log(path: Path) -> Log:
    """Read a log. Raises WeirError if it is damaged, or the package is not installed."""
    if importlib.util.find_spec("darshan") is None:
        raise WeirError(
            f"cannot read the Darshan log {path}",
            "the package darshan is not installed",
            "install it: pip install 'weir[darshan]'",
        )
    with tempfile.TemporaryDirectory(prefix="weir-darshan-") as folder:
        _run_child(path, folder)
        facts = msgspec.json.decode(Path(folder, "facts.json").read_bytes(), type=Facts)
        return Log(path, facts, np.fromfile(Path(folder, "segments"), SEGMENT))


def _run_child(path: Path, folder: str) -> None:
    # -P: the package is not to be looked for in the current folder.
    command = [sys.executable, "-P", "-m", CHILD, str(path.resolve()), folder]
    env = os.environ | {"OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "agg"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode == 0:
        return
    if done.returncode < 0:
        why = f"Darshan's library ended by {signal.Signals(-done.returncode).name} while it was read"
    else:
        said = [*done.stdout.splitlines(), *done.stderr.splitlines()[-1:]]
        why = said[0] if said else "Darshan's library gave up while it was read"
    raise WeirError(f"{path} is a damaged Darshan log", why, "darshan-parser may tell more.")
