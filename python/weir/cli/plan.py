"""`weir plan`: the dry run of a study."""

from dataclasses import replace
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
    from weir.cli._study_plan import asked_of, planned
    from weir.cli.submit import launcher_in_jobs, show_scripts
    from weir.launch.base import launcher_name

    request = StudyRequest(
        study,
        dir,
        launcher_in_jobs(launcher) if script else launcher_name(launcher),
        tuple(with_ or ()),
        budget,
        calibration=calibration,
        nodes=nodes,
        hostfile=hostfile,
    )
    asked = asked_of(request)
    if script:  # of the job that would be handed in, and not of one that this is a part of
        asked = replace(asked, study=asked.study.in_job_of(1))
    found = planned(asked)
    code = show_dry_run(found, as_json=json)
    if script and not json:
        show_scripts(found)
    return code
