"""`weir evaluate`: from nothing to an honest report on a storage."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from weir.cli._options import DirOption, JsonOption, LauncherOption
from weir.cli._study import StudyWish
from weir.cli._writing import writes
from weir.errors import WeirError
from weir.exit_codes import ExitCode

DirectoryArgument = Annotated[Path | None, typer.Argument(metavar="[DIR]", help="The same as --dir.")]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", metavar="RUN", help="The run to make or to go on with. Default: runs/quick-TIME."),
]
BudgetOption = Annotated[
    str | None, typer.Option("--budget", help='Time for all samples, as "90s". Default: 4m.')
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Show the plan, run nothing.")]
ProgressOption = Annotated[str, typer.Option("--progress", help="auto, plain, json or none.")]


@writes
def command(
    directory: DirectoryArgument = None,
    dir: DirOption = None,
    out: OutOption = None,
    budget: BudgetOption = None,
    dry_run: DryRunOption = False,
    launcher: LauncherOption = "mpirun",
    progress: ProgressOption = "auto",
    json: JsonOption = False,
) -> ExitCode:
    """Measure the storage under DIR in at most five minutes and write a report; its path is printed last.

    If it is interrupted, what was measured is kept, and the command that goes on from there is printed.
    Exit codes as of `weir run`, but 0 where results are merely inconclusive: the report says which.
    """
    from weir.cli._evaluate.steps import evaluate_and_show
    from weir.cli._plan.dry_run import show_dry_run
    from weir.evaluate.evaluate import Wish
    from weir.units import parse_seconds

    if directory is not None and dir is not None and directory != dir:
        raise WeirError(
            f"'{directory}' and --dir '{dir}' are two directories", "one is measured", "leave out one"
        )
    chosen = (dir or directory or Path()).absolute()
    if dry_run:
        return show_dry_run(StudyWish("quick", chosen, launcher, budget=budget), as_json=json)
    wish = Wish(chosen, out, parse_seconds(budget) if budget else None, launcher=launcher)
    return evaluate_and_show(wish, progress, sys.argv, as_json=json)
