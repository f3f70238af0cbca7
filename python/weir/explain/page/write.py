"""Writes the page of a trace."""

from pathlib import Path

from weir.errors import WeirError
from weir.explain.summary import Summary
from weir.files.write import write
from weir.trace.model import Trace

from .render import render, shown
from .timeline import make_timeline


def write_page(summary: Summary, trace: Trace | None, path: Path, *, named: bool = False) -> int:
    """Write the page, with a timeline where there is a trace; its bytes. Raises WeirError if the path cannot
    be written."""
    timeline = shown(trace, make_timeline(trace)) if trace and trace.records else None
    text = render(summary, timeline)
    try:
        return write(path, text.encode("utf-8", "replace"), make=True, named=named)
    except OSError as error:
        raise WeirError(
            f"cannot write '{path}'", error.strerror or str(error), "choose another file with --page"
        ) from error
