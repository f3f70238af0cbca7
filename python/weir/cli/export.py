"""`weir export`: a run, or a trace, in other programs' formats."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from weir.cli import _completion as completion
from weir.cli._options import JsonOption, RedactOption, writes
from weir.cli._streams import check_output, output_file, print_json
from weir.errors import ExitCode, WeirError
from weir.export.format import format_names, table_names
from weir.handed.takes import Takes
from weir.trace.exporter import exporter_names
from weir.trace.open import is_trace

SourceArgument = Annotated[
    Path,
    typer.Argument(
        metavar="RUN",
        help="A run directory, or a trace: Weir's, packed, or a Darshan log.",
        autocompletion=completion.runs_and_traces,
    ),
    Takes(("run", "trace", "packed-trace", "log")),
]
FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        help=f"Of a run, one of: {', '.join(format_names())}. Of a trace: {', '.join(exporter_names())}.",
        autocompletion=completion.one_of(*sorted({*format_names(), *exporter_names()})),
    ),
]
TableOption = Annotated[
    str | None,
    typer.Option(
        "--table",
        help=f"Of csv and parquet, one of: {', '.join(table_names())}. Default: samples.",
        autocompletion=completion.one_of(*table_names()),
    ),
]
OutOption = Annotated[
    Path | None, typer.Option("--out", "-o", help="The file to write. Default: standard output.")
]


@writes
def command(
    run: SourceArgument,
    format: FormatOption = None,
    table: TableOption = None,
    out: OutOption = None,
    redact: RedactOption = False,
    json: JsonOption = False,
) -> None:
    """Write the samples in RUN, or tables made from them, in a format that other programs read.

    csv and parquet contain one table: every sample, every case with its median, latency histograms, or
    bandwidth over time. openmetrics contains medians, intervals and sample counts for Prometheus. Units are
    base units, named in each column. For a trace, csv and parquet have a row for each call, and perfetto is
    for https://ui.perfetto.dev. With --json the file's name and number of rows go to standard output.
    """
    of_trace = is_trace(run)
    if format is None:
        what, names = ("a trace", exporter_names()) if of_trace else ("a run", format_names())
        choices = f"add --format and one of: {', '.join(names)}"
        raise WeirError("no format was named", f"{run} is {what}", choices)
    if of_trace:
        _export_trace(run, format, table, out, redact=redact, json=json)
    else:
        _export_run(run, format, table, out, redact=redact, json=json)


def _export_run(
    run: Path, format: str, table: str | None, out: Path | None, *, redact: bool, json: bool
) -> None:
    from weir.export.format import find_format
    from weir.export.source import Source
    from weir.store.lines import damaged_words
    from weir.store.run_directory import open_run

    chosen = find_format(format)
    chosen.prepare(table)
    check_output(out, is_text=chosen.is_text, json=json)
    source = Source(open_run(run, redact=redact))
    with output_file(out) as file:
        written = chosen.write(source, table, file)
    if written.empty_because:
        print(f"weir: there is nothing under {written.what} ({written.empty_because})", file=sys.stderr)
    if source.damaged_lines:
        print(f"weir: {damaged_words(source.damaged_lines)}", file=sys.stderr)
    if json:
        print_json(
            {
                "file": str(out),
                "format": format,
                "table": written.what,
                "rows": written.rows,
                "damaged_lines": source.damaged_lines,
            }
        )


def _export_trace(
    path: Path, format: str, table: str | None, out: Path | None, *, redact: bool, json: bool
) -> None:
    """Write the trace's calls to a file, or to standard output. Raises WeirError where it has none."""
    from weir.redaction import Redactor
    from weir.trace.exporter import find_exporter
    from weir.trace.open import import_numpy, open_trace

    if table is not None:
        raise WeirError(f"a trace has no table '{table}'", "it is one table, of calls", "leave --table out")
    import_numpy()
    chosen = find_exporter(format)
    chosen.prepare()
    check_output(out, is_text=chosen.is_text, json=json)
    trace = open_trace(path)
    for note in trace.notes:
        print(f"weir: {note}", file=sys.stderr)
    if not trace.records:
        raise WeirError(
            f"there is nothing to export in {path}", "it has no calls", "", ExitCode.NOTHING_SELECTED
        )
    if redact:
        from weir.trace.redact import redacted

        trace = redacted(trace, Redactor())
    with output_file(out) as file:
        chosen.write(trace, file)
    if json:
        print_json({"file": str(out), "format": format, "table": "calls", "rows": trace.records})
