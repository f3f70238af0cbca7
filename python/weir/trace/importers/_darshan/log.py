"""A Darshan log: what it holds, and the process of its own that reads it."""

import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from weir.errors import WeirError
from weir.extras import lacking

SEGMENT = np.dtype(
    [
        ("module", "<i4"),
        ("host", "<i4"),
        ("rank", "<i8"),
        ("record", "<u8"),
        ("writes", "<i8"),
        ("thread", "<u8"),
        ("offset", "<i8"),
        ("length", "<i8"),
        ("begin_s", "<f8"),
        ("end_s", "<f8"),
    ]
)
"""One read or write of DXT. `module` is an index into DXT_MODULES, `host` one into the log's hosts."""

DXT_MODULES = ("DXT_POSIX", "DXT_MPIIO")


class Record(msgspec.Struct):
    """Counters of one file or dataset on one rank; rank -1: sums over all ranks."""

    id: int
    rank: int
    counters: list[int]
    seconds: list[float]
    file: int = 0
    """Of a dataset: its file's record."""


class Counted(msgspec.Struct):
    """The records of a module, and what their numbers are."""

    names: list[str]
    seconds_names: list[str]
    records: list[Record] = []


class Stripes(msgspec.Struct):
    """How a file lies on Lustre."""

    record: int
    size: int
    count: int
    osts: list[int] = []
    """The storage targets that it lies on, where the log tells."""


class Facts(msgspec.Struct):
    """All but the segments."""

    version: str
    command: str
    ranks: int
    start_s: int
    start_ns: int
    run_s: float
    modules: dict[str, bool]
    """Of each module: did it run out of memory, so that records are missing?"""
    names: dict[int, str]
    counted: dict[str, Counted]
    stripes: list[Stripes]
    hosts: list[str]
    has_threads: bool


@dataclass(frozen=True)
class Log:
    """A Darshan log."""

    path: Path
    facts: Facts
    segments: NDArray[Any]
    """Of dtype SEGMENT."""

    def name(self, record: int) -> str:
        """Of a file or dataset; what has none is named by its number."""
        return self.facts.names.get(record) or f"record {record}"


CHILD = "weir.trace.importers._darshan.decode"


def read_log(path: Path) -> Log:
    """Read a log. Raises WeirError if it is damaged, or the package is not installed."""
    if importlib.util.find_spec("darshan") is None:
        raise lacking("darshan", "darshan", f"cannot read the Darshan log {path}")
    with tempfile.TemporaryDirectory(prefix="weir-darshan-") as folder:
        _run_child(path, folder)
        facts = msgspec.json.decode(Path(folder, "facts.json").read_bytes(), type=Facts)
        return Log(path, facts, np.fromfile(Path(folder, "segments"), SEGMENT))


def _run_child(path: Path, folder: str) -> None:
    # -P: the package is not to be looked for in the current folder. Nor are settings: it loads what draws.
    command = [sys.executable, "-P", "-m", CHILD, str(path.resolve()), folder]
    env = os.environ | {"OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "agg"}
    done = subprocess.run(
        command, env=env, capture_output=True, text=True, errors="replace", check=False, cwd=folder
    )
    if done.returncode == 0:
        return
    if done.returncode < 0:
        why = f"Darshan's library ended by {signal.Signals(-done.returncode).name} while it was read"
    else:
        said = [*done.stdout.splitlines(), *done.stderr.splitlines()[-1:]]
        why = said[0] if said else "Darshan's library gave up while it was read"
    raise WeirError(f"{path} is a damaged Darshan log", why, "darshan-parser may tell more.")
