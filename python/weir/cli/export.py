"""`weir export`: a run, a trace or dumps in other programs' formats."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from weir.cli import _completion as completion
from weir.cli._given import refuse_others
from weir.cli._options import JsonOption, RedactOption, writes
from weir.cli._streams import check_output, output_file, print_json
from weir.dumps.kind import dump_formats, kind_of, known_kind_of
from weir.errors import ExitCode, WeirError
from weir.export.format import format_names, table_names
from weir.handed.takes import Takes
from weir.trace.exporter import exporter_names
from weir.trace.open import is_trace

SourceArgument = Annotated[
    list[Path],
    typer.Argument(
        metavar="RUN",
        help="A run directory; or a trace: Weir's, packed, or a Darshan log; or dumps of one run of an "
        "application, as many as there are.",
        autocompletion=completion.runs_and_traces,
    ),
    Takes(("run", "trace", "packed-trace", "log", "dump")),
]
FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        help=f"Of a run, one of: {', '.join(format_names())}. Of a trace: {', '.join(exporter_names())}. Of "
        f"dumps: {', '.join(dump_formats())}.",
        autocompletion=completion.one_of(*sorted({*format_names(), *exporter_names(), *dump_formats()})),
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
    Path | None,
    typer.Option(
        "--out",
        "-o",
        help="The file to write. Default: standard output; of dumps, a file named like the first, beside it.",
    ),
]


@writes
def command(
    ctx: typer.Context,
    sources: SourceArgument,
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

    xdmf, NAME.xmf, is what ParaView opens with all times of the dumps, which stay as they are: NAME.xmf.h5
    beside it refers to them by relative names. Only files that an export made are replaced.
    """
    from weir.files.thing import Thing

    first, *others = sources
    thing = Thing(str(first))
    if thing.is_hdf5 or (not thing.holds("run.json") and kind_of(thing)):
        _export_dumps(ctx, sources, format, out, json=json)
        return
    if others:
        raise WeirError(f"cannot export {len(sources)} at once", "only dumps can be", f"name '{first}' alone")
    of_trace = is_trace(first)
    if format is None:
        raise _no_format(
            str(first), *(("a trace", exporter_names()) if of_trace else ("a run", format_names()))
        )
    if of_trace:
        _export_trace(first, format, table, out, redact=redact, json=json)
    else:
        _export_run(first, format, table, out, redact=redact, json=json)


def _no_format(name: str, what: str, names: Sequence[str]) -> WeirError:
    return WeirError(
        "no format was named", f"{name} is {what}", f"add --format and one of: {', '.join(names)}"
    )


def _export_dumps(
    ctx: typer.Context, paths: list[Path], format: str | None, out: Path | None, *, json: bool
) -> None:
    """Write one or several of one run. Prints the path of the file that is to be opened."""
    kind = known_kind_of(paths[0])
    refuse_others(
        ctx,
        {"format", "out", "json", "share", "foreign_folder"},
        f"'{paths[0]}' is {kind.what}, which has no use for {{}}",
        "they are for runs and traces",
    )
    if not kind.formats:
        raise WeirError(
            f"there is no format for {kind.what}", f"'{paths[0]}' is one", "draw it: weir picture"
        )
    if format is None:
        raise _no_format(str(paths[0]), kind.what, kind.formats)
    if format not in kind.formats:
        raise WeirError(f"{kind.what} has no format '{format}'", "", f"use {' or '.join(kind.formats)}")
    kind.check_packages()
    found = kind.export(paths, format, out)
    for path, content in found.contents:
        with output_file(path, named=False) as file:
            file.write(content)
    for note in found.notes:
        print(f"weir: {note}", file=sys.stderr)
    if json:
        print_json(found.told)
    else:
        print(found.path)


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
