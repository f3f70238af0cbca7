"""The steps of `weir evaluate` as a person sees them: warnings, progress, headline, path of the report."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from weir.cli._lost_output import results_told
from weir.cli._output import print_json
from weir.cli._progress import open_progress, progress_kind
from weir.cli._streams import console
from weir.cli.doctor import show_warnings
from weir.drive.scratch import check_directory
from weir.evaluate.evaluate import Wish, evaluate, exit_code
from weir.exit_codes import ExitCode
from weir.machine.look import look_around
from weir.report.build import as_data
from weir.report.page import Written


def evaluate_and_show(wish: Wish, progress: str, command: Sequence[str], *, as_json: bool) -> ExitCode:
    """Look around, measure, report; the path of the page is the last line of standard output."""
    kind = progress_kind(progress)
    check_directory(wish.directory)
    talk = console(stderr=True)
    show_warnings(look_around(wish.directory)["warnings"], talk)
    with open_progress(kind) as watcher:
        outcome, written = evaluate(wish, watcher, command)
    with results_told(outcome.run.path):
        if as_json:
            data = as_data(written.report)
            print_json(
                {
                    "run": str(outcome.run.path),
                    "page": str(written.page),
                    "exit_code": int(exit_code(outcome)),
                    **data,
                }
            )
        else:
            show(written)
    return exit_code(outcome)


def show(written: Written) -> None:
    """The headline of the report, and where the report is."""
    head = written.report.headline
    lines = [
        head.summary,
        *(f"- {point.title}" for point in head.points),
        *(f"Note: {text}" for text in head.caveats),
    ]
    sys.stdout.write("\n".join([*lines, "", "The report:", str(written.page.absolute())]) + "\n")
