"""Any trace: a folder as the recorder writes it, a packed one, or another tool's log."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from weir.errors import WeirError

if TYPE_CHECKING:
    from weir.trace.model import Trace


def is_trace(path: Path) -> bool:
    """Is it more likely a trace than a run? Runs are folders; traces are folders with processes, or files."""
    return path.is_file() or (path.is_dir() and next(path.glob("*.process"), None) is not None)


def open_trace(path: Path) -> Trace:
    """Read a trace of any kind, told by its content. Raises WeirError if it is none, or is damaged."""
    if not path.exists():
        raise WeirError(f"there is no {path}", "", "Record a trace with `weir trace -o FOLDER -- PROGRAM`.")
    if path.is_dir():
        from weir.trace.load import load_trace  # noqa: PLC0415 (needs NumPy, which may be missing)

        return load_trace(path)
    raise WeirError(f"{path} is no trace", "it is none that Weir knows", "")
