"""`weir run`: carry out a study."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from weir.cli._options import (
    BudgetOption,
    CalibrationOption,
    DirOption,
    JsonOption,
    LauncherOption,
    StudyArgument,
    WithOption,
)
from weir.cli._study import StudyWish
from weir.cli._writing import writes
from weir.exit_codes import ExitCode

OutOption = Annotated[
    Path, typer.Option("--out", metavar="RUN", help="The run directory to make, or to go on with.")
]
KeepOption = Annotated[bool, typer.Option("--keep", help="Keep the test files.")]
AllowEnvOption = Annotated[
    bool,
    typer.Option("--allow-env", help="Let a study that is not Weir's own set variables that can load code."),
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Show the plan, run nothing.")]
ProgressOption = Annotated[str, typer.Option("--progress", help="auto, plain, json or none.")]


@writes
def command(
    study: StudyArgument,
    out: OutOption,
    dir: DirOption = None,
    with_: WithOption = None,
    budget: BudgetOption = None,
    keep: KeepOption = False,
    calibration: CalibrationOption = None,
    allow_env: AllowEnvOption = False,
    dry_run: DryRunOption = False,
    launcher: LauncherOption = "mpirun",
    progress: ProgressOption = "auto",
    json: JsonOption = False,
) -> ExitCode:
    """Carry out STUDY and keep every sample in RUN. The same command again goes on where the last one
    stopped.

    Exit codes: 0 fine; 2 nothing ran; 3 a case could not run; 4 data read back wrong; 5 no case came out
    precise; 6 the study selects nothing; 130 interrupted, what was finished is kept.
    """
    from weir.cli._plan.dry_run import show_dry_run
    from weir.cli._run.carry_out import carry_out

    wish = StudyWish(
        study,
        dir,
        launcher,
        asked=tuple(with_ or ()),
        budget=budget,
        keep=keep,
        calibration=calibration,
    )
    if dry_run:
        return show_dry_run(wish, as_json=json)
    return carry_out(wish, out, progress, allow_env=allow_env, as_json=json, command=sys.argv)
