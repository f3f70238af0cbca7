"""`weir pack`: a trace as one small file, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from weir.cli._options import JsonOption, RedactOption
from weir.cli._writing import writes

TraceArgument = Annotated[
    Path, typer.Argument(metavar="TRACE", help="A trace's folder; with --unpack, a packed trace.")
]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="What to write. Default: TRACE with .weirtrace, or without it."),
]
TimesOption = Annotated[
    str, typer.Option("--times", help="exact, us (rounded to microseconds), or none (order only).")
]
UnpackOption = Annotated[bool, typer.Option("--unpack", help="Make the folder again.")]


@writes
def command(
    trace: TraceArgument,
    out: OutOption = None,
    times: TimesOption = "exact",
    unpack: UnpackOption = False,
    redact: RedactOption = False,
    json: JsonOption = False,
) -> None:
    """Make one small file of a trace.

    Nothing is lost: calls, files, offsets and sizes of regular programs need next to nothing, and what is
    left are the times. --times us rounds these, for a fraction of the size. All verbs that read traces
    read packed ones; --unpack makes the folder again.
    """
    from weir.trace.open import import_numpy

    import_numpy()
    from weir.cli._pack import pack, unpack_to

    if unpack:
        unpack_to(trace, out, json=json)
    else:
        pack(trace, out, times, redact=redact, json=json)
