"""The tables of any trace: Weir's own, packed, or another tool's log."""

from __future__ import annotations

from pathlib import Path

from weir.trace.importer import importer_of
from weir.trace.model import Trace
from weir.trace.open import open_trace

from .summarise import summarise
from .summary import Summary


def tables_of(path: Path) -> tuple[Summary, Trace]:
    """The tables, and the trace that they are of; a log that only counts has no calls in it. Raises WeirError
    if the path is no trace."""
    importer = importer_of(path)
    if importer is None:
        trace = open_trace(path)
        return summarise(trace), trace
    imported = importer.read(path)
    return imported.summary(), imported.trace
