"""`weir export`: a run, or a trace, in other programs' formats."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from weir.cli._options import JsonOption, RedactOption
from weir.cli._writing import writes
from weir.export.format import format_names
from weir.export.table import table_names
from weir.trace.exporter import exporter_names
from weir.trace.open import is_trace

SourceArgument = Annotated[
    Path, typer.Argument(metavar="RUN", help="A run directory, or a trace: Weir's, packed, or a Darshan log.")
]
FormatOption = Annotated[
    str,
    typer.Option(
        "--format",
        help=f"Of a run, one of: {', '.join(format_names())}. Of a trace: {', '.join(exporter_names())}.",
    ),
]
TableOption = Annotated[
    str | None,
    typer.Option(
        "--table", help=f"Of csv and parquet, one of: {', '.join(table_names())}. Default: samples."
    ),
]
OutOption = Annotated[
    Path | None, typer.Option("--out", "-o", help="The file to write. Default: standard output.")
]


@writes
def command(
    run: SourceArgument,
    format: FormatOption,
    table: TableOption = None,
    out: OutOption = None,
    redact: RedactOption = False,
    json: JsonOption = False,
) -> None:
    """Write the samples in RUN, or what follows from them, in a format that other programs read.

    csv and parquet hold one table: every sample, every case with its median, latency histograms, or
    bandwidth over time. openmetrics holds medians, intervals and sample counts for Prometheus. Units are
    base units, named in each column. Of a trace, csv and parquet have a row for each call, and perfetto is
    for https://ui.perfetto.dev. With --json the name of the file and its number of rows go to standard
    output.
    """
    if is_trace(run):
        from weir.cli._export.trace import export_trace

        export_trace(run, format, table, out, redact=redact, json=json)
        return
    _export_run(run, format, table, out, redact=redact, json=json)


def _export_run(
    run: Path, format: str, table: str | None, out: Path | None, *, redact: bool, json: bool
) -> None:
    from weir.cli._export.output import check_output, opened
    from weir.cli._output import print_json
    from weir.export.format import find_format
    from weir.export.source import Source
    from weir.store.lines import damaged_words
    from weir.store.run_directory import open_run

    chosen = find_format(format)
    chosen.prepare(table)
    check_output(out, is_text=chosen.is_text, json=json)
    source = Source(open_run(run, redact=redact))
    with opened(out) as file:
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
