"""`weir plan`: the dry run of a study."""

from typing import Annotated

import typer

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

ScriptOption = Annotated[
    bool, typer.Option("--script", help="Below it the scripts of the jobs that `weir submit` would hand in.")
]


def command(
    study: StudyArgument,
    dir: DirOption = None,
    with_: WithOption = None,
    calibration: CalibrationOption = None,
    launcher: LauncherOption = None,
    budget: BudgetOption = None,
    nodes: NodesOption = None,
    hostfile: HostfileOption = None,
    script: ScriptOption = False,
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
    code = show_dry_run(request, as_json=json)
    if script and not json:
        from weir.cli.submit import show_scripts

        show_scripts(request)
    return code
