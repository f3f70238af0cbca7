"""Opens any trace: a folder as the recorder writes it, a packed one, or another tool's log."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from weir.errors import WeirError
from weir.extras import lacking
from weir.trace.importer import importer_of, importers, open_trace_file

if TYPE_CHECKING:
    from weir.trace.model import Trace
import importlib
import importlib.util
import mmap
import os


def is_trace(path: Path) -> bool:
    """Is it more likely a trace than a run? Runs are folders; traces are folders with processes, or files."""
    return path.is_file() or (path.is_dir() and next(path.glob("*.process"), None) is not None)


def open_trace(path: Path) -> Trace:
    """Read a trace of any kind, recognised by its content. Raises WeirError if it is none, or is damaged."""
    import_numpy()
    if path.is_dir():
        from weir.trace.load import load_trace  # noqa: PLC0415

        return load_trace(path)
    from weir.trace.pack.magic import MAGIC  # noqa: PLC0415

    with open_trace_file(path) as file:
        is_packed = file.read(len(MAGIC)) == MAGIC
    if is_packed:
        from weir.trace.pack.read import load_packed  # noqa: PLC0415

        return load_packed(path)
    importer = importer_of(path)
    if importer is None:
        known = ", ".join(f"a {importer.what}" for importer in importers())
        raise WeirError(
            f"{path} is no trace", f"it is no folder of `weir trace`, no packed trace, and not {known}"
        )
    return importer.read(path).trace


_THREADS = "OPENBLAS_NUM_THREADS"
_ROOM = 96 << 20
"""A little more than NumPy and its libraries map. Its linear algebra ends the process where it gets less."""


def import_numpy() -> None:
    """To be called before anything that imports NumPy, which Weir uses for no linear algebra: so that starts
    no threads. Where it may not, it would send this process SIGINT. Raises WeirError where NumPy is missing,
    or memory for it."""
    if importlib.util.find_spec("numpy") is None:
        raise lacking("NumPy", "trace", "cannot read a trace")
    before = os.environ.get(_THREADS)
    os.environ[_THREADS] = "1"
    try:
        mmap.mmap(-1, _ROOM).close()
        importlib.import_module("numpy")
    except (OSError, MemoryError, ImportError) as error:
        raise WeirError(
            "cannot load NumPy", _why(error), "give it more memory (ulimit -v, a cgroup's bound)"
        ) from None
    finally:
        if before is None:
            del os.environ[_THREADS]
        else:
            os.environ[_THREADS] = before


def _why(error: Exception) -> str:
    if isinstance(error, ImportError) and "failed to map" not in str(error):
        return str(error).strip().splitlines()[-1]
    return "out of memory: the system maps no more for this process"
