"""`weir pattern`: a trace as a pattern."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weir.cli import _completion as completion
from weir.cli._options import JsonOption, RedactOption, writes
from weir.cli._streams import print_json, print_lines
from weir.errors import ExitCode, WeirError
from weir.handed.takes import Takes
from weir.units import parse_seconds

if TYPE_CHECKING:
    from weir.trace.pattern.recognise import Recognised

TraceArgument = Annotated[
    Path,
    typer.Argument(
        metavar="TRACE", help="A trace recorded by `weir trace`.", autocompletion=completion.traces
    ),
    Takes(("trace", "packed-trace", "log")),
]
OutOption = Annotated[
    Path | None, typer.Option("--out", "-o", metavar="FILE", help="The pattern to write, as JSON.")
]
InterfaceOption = Annotated[
    str | None,
    typer.Option(
        "--interface",
        help="Use the calls of posix, stdio or mpi-io. Default: the program's own calls that have offsets.",
        autocompletion=completion.one_of("posix", "stdio", "mpi-io"),
    ),
]
OnlyOption = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="PATH", help="Use only calls on files whose paths begin with this."),
]
GapsOption = Annotated[
    str,
    typer.Option("--gaps", metavar="TIME", help="Pauses of this length count as computing; `none`: none do."),
]


@writes
def command(
    trace: TraceArgument,
    out: OutOption = None,
    interface: InterfaceOption = None,
    gaps: GapsOption = "1ms",
    only: OnlyOption = None,
    redact: RedactOption = False,
    json: JsonOption = False,
) -> None:
    """Turn TRACE into a pattern: nests of strides that expand to exactly the program's I/O.

    Long lists of irregular pieces, and the original file names, go into files next to the pattern.
    """
    from weir.trace.open import import_numpy

    import_numpy()
    from weir.redaction import Redactor
    from weir.trace.open import open_trace
    from weir.trace.paths import whole_prefix
    from weir.trace.pattern.describe import describe
    from weir.trace.pattern.operations.calls import files_below
    from weir.trace.pattern.recognise import recognise
    from weir.trace.pattern.write import write_pattern
    from weir.trace.redact import redacted

    out = _checked(out, trace)
    least_gap_ns = None if gaps == "none" else round(parse_seconds(gaps) * 1e9)
    opened = open_trace(trace)
    chosen = files_below(opened.files, [*map(whole_prefix, only)]) if only else None
    found = recognise(redacted(opened, Redactor()) if redact else opened, interface, least_gap_ns, chosen)
    if not found.phases:
        where = f"a file whose path begins with {' or '.join(only)}" if only else "a file"
        raise WeirError(
            f"there is nothing in {trace} to make a pattern of",
            f"it has no calls of {interface or 'interfaces with offsets'} that opened, read or wrote {where}",
            "look at it with `weir explain`",
            ExitCode.NOTHING_SELECTED,
        )
    written = write_pattern(found, out)
    if json:
        print_json(_as_data(found, written))
        return
    print_lines(describe(found))
    print_lines([f"Written: {', '.join(str(path) for path in written)}"])


def _checked(out: Path | None, trace: Path) -> Path:
    """Refuses a place where no file can be written, before a long trace is read."""
    if out is None:
        example = f"name one, as in: weir pattern {shlex.quote(str(trace))} -o pattern.json"
        raise WeirError("there is no file to write the pattern to", "it takes --out", example)
    if out.is_dir() or not out.parent.is_dir():
        why = "it is a directory" if out.is_dir() else f"there is no directory {out.parent}"
        raise WeirError(f"cannot write {out}", why, "Name a file, as in `-o pattern.json`.")
    return out


def _as_data(found: Recognised, written: list[Path]) -> dict[str, Any]:
    """The outcome for `--json`."""
    from weir.trace.pattern.describe import steps_of

    return {
        "pattern": str(written[0]),
        "files_written": [str(path) for path in written],
        "operations": found.operations,
        "ranks": found.ranks,
        "interfaces": list(found.interfaces),
        "phases": [
            {
                "name": phase.name,
                "collective": phase.collective,
                "steps": steps_of(phase.steps),
            }
            for phase in found.phases
        ],
        "files": len(found.files),
        "computing": [
            {"median_s": one.median_s, "least_s": one.least_s, "most_s": one.most_s, "count": one.count}
            for one in found.computing
        ],
        "in_calls": {"mean_over_ranks_s": found.in_calls.all_s, "waiting_s": found.in_calls.waiting_s},
        "pauses_left_out_s": found.pauses_left_out_s,
        "files_needed_before": [found.files[number].name for number in found.needed],
        "exact": found.exact,
        "inexact": found.inexact.counts,
        "made_independent": found.made_independent,
        "left_out": found.left_out.counts,
    }
