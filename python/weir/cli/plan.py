"""`weir plan`: the dry run of a study."""

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
from weir.exit_codes import ExitCode


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

    wish = StudyWish(study, dir, launcher, asked=tuple(with_ or ()), budget=budget, calibration=calibration)
    return show_dry_run(wish, as_json=json)
