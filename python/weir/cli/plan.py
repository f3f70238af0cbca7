"""`weir plan`: the dry run of a study."""

from weir.cli._options import (
    BudgetOption,
    CalibrationOption,
    DirOption,
    HostfileOption,
    JsonOption,
    LauncherOption,
    NodesOption,
    StudyArgument,
    StudyRequest,
    WithOption,
)
from weir.errors import ExitCode


def command(
    study: StudyArgument,
    dir: DirOption = None,
    with_: WithOption = None,
    calibration: CalibrationOption = None,
    launcher: LauncherOption = None,
    budget: BudgetOption = None,
    nodes: NodesOption = None,
    hostfile: HostfileOption = None,
    json: JsonOption = False,
) -> ExitCode:
    """Show the plan of STUDY: cases, commands, bytes, space, time, geometry. Runs nothing.

    Refuses what `weir run` would refuse, after showing the plan.
    """
    from weir.cli._dry_run import show_dry_run
    from weir.launch.base import launcher_name

    request = StudyRequest(
        study,
        dir,
        launcher_name(launcher),
        tuple(with_ or ()),
        budget,
        calibration=calibration,
        nodes=nodes,
        hostfile=hostfile,
    )
    return show_dry_run(request, as_json=json)
