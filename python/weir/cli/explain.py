"""`weir explain`: what a trace says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from weir.cli._options import JsonOption, RedactOption
from weir.cli._writing import writes

TraceArgument = Annotated[
    Path,
    typer.Argument(
        metavar="TRACE", help="A folder that `weir trace` has made, a packed one, or a Darshan log."
    ),
]
PageOption = Annotated[
    Path | None,
    typer.Option(
        "--page", help="The page's file. Default: page.html in the trace's folder; of a file, FILE.html here."
    ),
]
NoPageOption = Annotated[bool, typer.Option("--no-page", help="Write no page.")]


@writes
def command(
    trace: TraceArgument,
    page: PageOption = None,
    no_page: NoPageOption = False,
    redact: RedactOption = False,
    json: JsonOption = False,
) -> None:
    """Show what TRACE says: what stands out, and tables of operations, request sizes and files; and write one
    HTML page with all of it, pictures, and a timeline of every call to zoom into.

    The page works offline. With --json, nothing is written unless --page names a file.
    """
    from weir.trace.import_numpy import import_numpy

    import_numpy()
    import msgspec

    from weir.cli._explain.text import show
    from weir.cli._output import print_json
    from weir.explain.page.render import write_page
    from weir.explain.section import remarks_on
    from weir.explain.summarise import tables_of
    from weir.redaction import Redactor
    from weir.units import format_bytes

    summary, opened = tables_of(trace, Redactor() if redact else None)
    remarks = remarks_on(summary)
    if json:
        print_json({"remarks": msgspec.to_builtins(remarks), **msgspec.to_builtins(summary)})
    else:
        show(summary, remarks)
    if page is not None or not (no_page or json):
        named = page is not None
        page = page or _usual_page(trace)
        size = write_page(summary, opened, page, named=named)
        if not json:
            print(f"\n{page} ({format_bytes(size, decimal=True)})")


def _usual_page(trace: Path) -> Path:
    """Other tools' logs lie where only their owner writes."""
    return trace / "page.html" if trace.is_dir() else Path(f"{trace.name}.html")
