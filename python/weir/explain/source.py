"""The tables of any trace: Weir's own, packed, or another tool's log."""

from __future__ import annotations

from pathlib import Path

from weir.errors import WeirError
from weir.redaction import Redactor
from weir.trace.importer import importer_of
from weir.trace.model import Trace
from weir.trace.open import open_trace
from weir.trace.redact import redacted

from .summarise import summarise
from .summary import Summary


def tables_of(path: Path, redactor: Redactor | None = None) -> tuple[Summary, Trace]:
    """The tables, and the trace that they are of; a log that only counts has no calls in it. A redactor's
    hashes stand for names. Raises WeirError for no trace, and where names cannot be replaced."""
    importer = importer_of(path)
    if importer is None:
        trace = open_trace(path)
        trace = redacted(trace, redactor) if redactor else trace
        return summarise(trace), trace
    if redactor:
        raise WeirError(
            f"the names in {path} cannot be replaced",
            "it is another tool's log",
            "replace them by that tool: darshan-convert --obfuscate",
        )
    imported = importer.read(path)
    return imported.summary(), imported.trace
