"""`weir plan`: the dry run of a study."""

from typing import Annotated

import typer

from weir.cli._options import (
    CalibrationOption,
    DirOption,
    JsonOption,
    LauncherOption,
    StudyArgument,
    WithOption,
)
from weir.exit_codes import ExitCode

BudgetOption = Annotated[
    str | None,
    typer.Option("--budget", help='Time for all samples, as "90s" or "5m". Default: the study\'s.'),
]


def command(
    study: StudyArgument,
    dir: DirOption = None,
    with_: WithOption = None,
    calibration: CalibrationOption = None,
    launcher: LauncherOption = "mpirun",
    budget: BudgetOption = None,
    json: JsonOption = False,
) -> ExitCode:
    """Show what STUDY would do: cases, commands, bytes, space, time, geometry. Runs nothing.

    What `weir run` would refuse is refused here too, after the plan has been shown.
    """
    from weir.cli._plan.dry_run import show_dry_run

    return show_dry_run(
        study,
        dir,
        launcher,
        asked=with_ or (),
        keep=False,
        as_json=json,
        calibration=calibration,
        budget=budget,
    )
