"""`weir show`: the results of a run."""

from typing import Annotated

import typer

from weir.cli._options import JsonOption, RunArgument
from weir.cli._streams import print_json

AllOption = Annotated[bool, typer.Option("--all", help="A line a case and phase, and all findings.")]


def command(run: RunArgument, all: AllOption = False, json: JsonOption = False) -> None:
    """Show what RUN found: the numbers that speak for it, what its figures found, and caveats.

    With --all every case and phase with its median, 95 % interval, samples, verdict and flags, the durations
    of its requests, and the findings.
    """
    from weir.store.run_directory import RunDirectory

    opened = RunDirectory(run)
    opened.info()
    if json or all:
        from weir.cli._results import show_summary, summary_data

        if json:
            print_json({"run": str(run), **summary_data(opened)})
        else:
            show_summary(opened, requests=True)
        return
    from weir.cli._screen import print_screen
    from weir.report.page import read_report

    print_screen(read_report(run).screen)
