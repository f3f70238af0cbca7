"""`weir evaluate`: from nothing to an honest report on a machine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weir.cli._options import (
    DirOption,
    DryRunOption,
    JsonOption,
    LauncherOption,
    ProgressOption,
    StudyRequest,
    writes,
)
from weir.cli._streams import console, print_json, results_told
from weir.cli.doctor import show_warnings
from weir.errors import ExitCode, WeirError
from weir.handed.takes import Takes

if TYPE_CHECKING:
    from weir.evaluate import Evaluation
    from weir.report.page import Written

DirectoryArgument = Annotated[
    Path | None, typer.Argument(metavar="[DIR]", help="The same as --dir."), Takes(("folder",))
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="RUN",
        help="The run to create or continue. Default: machine-TIME in the site's folder, else in runs.",
    ),
]
OnlyOption = Annotated[
    str | None,
    typer.Option(
        "--only",
        metavar="PARTS",
        help="Of memory, compute, network, storage, as memory,network; storage alone is looked at closer.",
    ),
]
TimeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--time",
        metavar="PART=SHARE",
        help="A part's share of the time, as storage=50%; the others share the rest.",
    ),
]
FullOption = Annotated[
    bool,
    typer.Option("--full", help="With all figures of the HPCC and IMB papers: 36m in place of 9m."),
]
BudgetOption = Annotated[
    str | None,
    typer.Option(
        "--budget",
        help='Time for all samples, as "90s"; it cuts no launch. Default: 9m, of --only its share.',
    ),
]


@writes
def command(
    directory: DirectoryArgument = None,
    dir: DirOption = None,
    out: OutOption = None,
    budget: BudgetOption = None,
    only: OnlyOption = None,
    time: TimeOption = None,
    full: FullOption = False,
    dry_run: DryRunOption = False,
    launcher: LauncherOption = None,
    progress: ProgressOption = "auto",
    json: JsonOption = False,
) -> ExitCode:
    """Measure memory, compute, network, and the storage under DIR, in about ten minutes, and write a report;
    its path is printed last.

    What cannot be measured here stands on the first screen with the reason. If it is interrupted, the
    measurements are kept, and the command to continue is printed. Exit codes as for `weir run`, but 0 if
    results are only inconclusive: the report says which.
    """
    from weir.cli._dry_run import show_dry_run
    from weir.cli._site import storage_of
    from weir.cli._study_plan import asked_of, planned
    from weir.evaluate import chosen, study_of
    from weir.evaluation.selection import read_selection
    from weir.launch.base import launcher_name
    from weir.units import parse_seconds

    if directory is not None and dir is not None and directory != dir:
        raise WeirError(
            f"'{directory}' and --dir '{dir}' are two directories", "one is measured", "leave out one"
        )
    place = (storage_of(dir or directory) or Path()).absolute()
    budget_s = parse_seconds(budget) if budget else None
    selection = read_selection(only, time or [], full=full)
    wanted = chosen(place, out, budget_s, launcher_name(launcher), selection)
    study = study_of(wanted)
    if dry_run:
        request = StudyRequest(wanted.study, place, wanted.launcher, budget=budget)
        return show_dry_run(planned(asked_of(request, study)), as_json=json)
    return _evaluate_and_show(wanted, progress, as_json=json)


def _evaluate_and_show(wanted: Evaluation, progress: str, *, as_json: bool) -> ExitCode:
    """Look around, measure, report; the path of the page is the last line of standard output."""
    from weir.cli._progress import open_progress, progress_kind
    from weir.evaluate import evaluate, exit_code
    from weir.machine.card import machine_card
    from weir.measure.scratch_directory import check_directory
    from weir.report.build import as_data

    kind = progress_kind(progress)
    check_directory(wanted.directory)
    show_warnings(machine_card(wanted.directory)["warnings"], console(stderr=True))
    with open_progress(kind) as watcher:
        outcome, written = evaluate(wanted, watcher, sys.argv)
    code = exit_code(outcome)
    with results_told(outcome.run.path):
        if as_json:
            place = {"run": str(outcome.run.path), "page": str(written.page), "exit_code": int(code)}
            print_json({**place, **as_data(written.report)})
        else:
            _show(written)
    return code


def _show(written: Written) -> None:
    """The first screen of the report, and where the report is."""
    from weir.cli._screen import print_screen

    print_screen(written.report.screen, "", str(written.page.absolute()))
