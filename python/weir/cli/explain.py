"""`weir explain`: what a trace says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from weir.cli._options import JsonOption

TraceArgument = Annotated[
    Path, typer.Argument(metavar="TRACE", help="A folder that `weir trace` has made, or a packed one.")
]


def command(trace: TraceArgument, json: JsonOption = False) -> None:
    """Show what TRACE says: what stands out, and tables of operations, request sizes and files."""
    import msgspec

    from weir.cli._output import print_json
    from weir.explain.remark import remarks_on
    from weir.explain.summarise import summarise
    from weir.explain.text import show
    from weir.trace.open import open_trace

    summary = summarise(open_trace(trace))
    remarks = remarks_on(summary)
    if json:
        print_json({"remarks": msgspec.to_builtins(remarks), **msgspec.to_builtins(summary)})
    else:
        show(summary, remarks)
