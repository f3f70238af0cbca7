"""`weir show`: the results of a run, or what a dump holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weir.cli import _completion as completion
from weir.cli._given import refuse_others
from weir.cli._options import JsonOption
from weir.cli._streams import print_json
from weir.errors import ExitCode
from weir.handed.takes import Takes

if TYPE_CHECKING:
    from weir.dumps.kind import DumpKind

ThingArgument = Annotated[
    Path,
    typer.Argument(
        metavar="RUN",
        help="A run directory, as `weir run --out` makes it; latest: the last one below runs. Or an "
        "application's dump; `weir list` shows the kinds.",
        autocompletion=completion.runs,
    ),
    Takes(("run", "dump")),
]
AllOption = Annotated[bool, typer.Option("--all", help="A line a case and phase, and all findings.")]


def command(
    ctx: typer.Context, run: ThingArgument, all: AllOption = False, json: JsonOption = False
) -> ExitCode:
    """Show what RUN found: the numbers that speak for it, what its figures found, and caveats.

    With --all every case and phase with its median, 95 % interval, samples, verdict and flags, the durations
    of its requests, and the findings. Of a dump its header, and the range of each variable: all of it is
    read, and what does not agree with itself ends with 4.
    """
    from weir.dumps.kind import first_dump_in, kind_of, known_kind_of
    from weir.files.thing import Thing

    is_run = (run / "run.json").exists()
    if run.is_file() or (not is_run and (kind_of(Thing(str(run))) or first_dump_in(run))):
        kind = known_kind_of(run)
        refuse_others(ctx, {"json"}, f"'{run}' is {kind.what}, which has no use for {{}}", "")
        return _show_dump(kind, run, as_json=json)
    _show_run(run, all=all, as_json=json)
    return ExitCode.FINE


def _show_run(run: Path, *, all: bool, as_json: bool) -> None:
    from weir.store.run_directory import RunDirectory

    opened = RunDirectory(run)
    opened.info()
    if as_json or all:
        from weir.cli._results import show_summary, summary_data

        if as_json:
            print_json({"run": str(run), **summary_data(opened)})
        else:
            show_summary(opened, requests=True)
        return
    from weir.cli._screen import print_screen
    from weir.report.page import read_report

    print_screen(read_report(run).screen)


def _show_dump(kind: DumpKind, path: Path, *, as_json: bool) -> ExitCode:
    from weir.cli._streams import print_lines, print_table
    from weir.dumps.kind import Table

    kind.check_packages()
    shown = kind.show(path)
    if as_json:
        print_json(shown.told)
    else:
        for number, part in enumerate(shown.parts):
            if number:
                print()
            if isinstance(part, Table):
                print_table(part.headings, part.rows)
            else:
                print_lines(part)
    return ExitCode.WRONG_DATA if shown.is_wrong else ExitCode.FINE
