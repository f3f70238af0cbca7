"""Any trace: a folder as the recorder writes it, a packed one, or another tool's log."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from weir.errors import WeirError
from weir.trace.import_numpy import import_numpy
from weir.trace.importer import importer_of, importers, open_trace_file

if TYPE_CHECKING:
    from weir.trace.model import Trace

PACKED = b"WEIRPAK1"
"""How packed traces begin."""


def is_trace(path: Path) -> bool:
    """Is it more likely a trace than a run? Runs are folders; traces are folders with processes, or files."""
    return path.is_file() or (path.is_dir() and next(path.glob("*.process"), None) is not None)


def open_trace(path: Path) -> Trace:
    """Read a trace of any kind, told by its content. Raises WeirError if it is none, or is damaged."""
    import_numpy()
    if path.is_dir():
        from weir.trace.load import load_trace  # noqa: PLC0415

        return load_trace(path)
    if begins_with(path, PACKED):
        from weir.trace.pack.read import load_packed  # noqa: PLC0415

        return load_packed(path)
    importer = importer_of(path)
    if importer is None:
        raise no_trace(path)
    return importer.read(path).trace


def no_trace(path: Path) -> WeirError:
    """An error that says so, and what would be one."""
    known = ", ".join(f"a {importer.what}" for importer in importers())
    return WeirError(
        f"{path} is no trace", f"it is no folder of `weir trace`, no packed trace, and not {known}"
    )


def begins_with(path: Path, magic: bytes) -> bool:
    """Does a file begin so? Raises WeirError if it cannot be read."""
    with open_trace_file(path) as file:
        return file.read(len(magic)) == magic
