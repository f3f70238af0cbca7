"""Writes the page of a trace."""

from pathlib import Path

from weir.errors import WeirError
from weir.explain.summary import Summary
from weir.trace.model import Trace

from .render import render, shown
from .timeline import make_timeline


def write_page(summary: Summary, trace: Trace | None, path: Path) -> int:
    """Write the page, with a timeline where there is a trace; its bytes. Raises WeirError if the path cannot
    be written."""
    timeline = shown(trace, make_timeline(trace)) if trace and trace.records else None
    text = render(summary, timeline)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.write_bytes(text.encode("utf-8", "replace"))
    except OSError as error:
        raise WeirError(
            f"cannot write '{path}'", error.strerror or str(error), "choose another file with --page"
        ) from error
