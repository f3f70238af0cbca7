"""Writes the page and the figure files of a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from weir.errors import WeirError
from weir.files.write import write
from weir.report.build import Report, build
from weir.report.gather import gather
from weir.report.page import draw_pictures, render
from weir.store.run_directory import open_run

DEFAULT_NAME = "report.html"


@dataclass(frozen=True)
class Written:
    """The report and where its page lies; `has_figures` is false without vl-convert."""

    report: Report
    page: Path
    has_figures: bool


def read_report(run: Path, *, redact: bool = False) -> Report:
    """The report of the run in a directory; raises WeirError if it is not a run."""
    return build(gather(open_run(run, redact=redact)))


def write_page(run: Path, out: Path | None = None, *, redact: bool = False) -> Written:
    """Writes the page, by default into the run, `redact`ed for others; raises WeirError if the run or the
    path is unusable."""
    report = read_report(run, redact=redact)
    pictures = draw_pictures(report.drawings)
    path = out or run / DEFAULT_NAME
    try:
        write(path, render(report, pictures).encode(), make=True, named=out is not None)
    except OSError as error:
        raise WeirError(
            f"cannot write '{path}'", error.strerror or str(error), "choose another file with --out"
        ) from error
    return Written(report, path, pictures is not None)
