"""`weir pattern`: a trace as a pattern."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from weir.cli._options import JsonOption, RedactOption
from weir.cli._writing import writes

TraceArgument = Annotated[Path, typer.Argument(metavar="TRACE", help="What `weir trace` has recorded.")]
OutOption = Annotated[
    Path, typer.Option("--out", "-o", metavar="FILE", help="The pattern to write, as JSON.")
]
InterfaceOption = Annotated[
    str | None,
    typer.Option(
        "--interface",
        help="Take the calls of posix, stdio or mpi-io. Default: the program's own calls that have offsets.",
    ),
]
GapsOption = Annotated[
    str,
    typer.Option("--gaps", metavar="TIME", help="Pauses as long as this are computing; `none`: none are."),
]


@writes
def command(
    trace: TraceArgument,
    out: OutOption,
    interface: InterfaceOption = None,
    gaps: GapsOption = "1ms",
    redact: RedactOption = False,
    json: JsonOption = False,
) -> None:
    """Turn TRACE into a pattern: the program's I/O as the nests of strides that say exactly what it did.

    Long lists of what is irregular, and the names that files had, go into files beside the pattern.
    """
    from weir.trace.open import import_numpy

    import_numpy()
    from weir.cli._output import print_json, print_lines
    from weir.cli._pattern.output import as_data, check_out
    from weir.errors import WeirError
    from weir.exit_codes import ExitCode
    from weir.redaction import Redactor
    from weir.trace.open import open_trace
    from weir.trace.pattern.describe import describe
    from weir.trace.pattern.recognise import recognise
    from weir.trace.pattern.write import write_pattern
    from weir.trace.redact import redacted
    from weir.units import parse_seconds

    check_out(out)
    least_gap_ns = None if gaps == "none" else round(parse_seconds(gaps) * 1e9)
    opened = open_trace(trace)
    found = recognise(redacted(opened, Redactor()) if redact else opened, interface, least_gap_ns)
    if not found.phases:
        raise WeirError(
            f"there is nothing in {trace} to make a pattern of",
            f"it has no calls of {interface or 'interfaces with offsets'} that opened, read or wrote a file",
            "look at it with `weir explain`",
            ExitCode.NOTHING_SELECTED,
        )
    written = write_pattern(found, out)
    if json:
        print_json(as_data(found, written))
        return
    print_lines(describe(found))
    print_lines([f"Written: {', '.join(str(path) for path in written)}"])
