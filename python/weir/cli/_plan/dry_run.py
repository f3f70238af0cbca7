"""The dry run, for `weir plan` and `weir run --dry-run`."""

import sys

from weir.cli._calibrate.for_study import foresee
from weir.cli._output import print_json
from weir.cli._plan.data import first_commands, plan_data
from weir.cli._plan.show import show_plan
from weir.cli._study import StudyWish
from weir.core.client import Core
from weir.core.locate import find_core
from weir.drive.plan import make_plan, without_what_the_mpi_lacks
from weir.drive.study_run import check_before
from weir.errors import WeirError
from weir.exit_codes import ExitCode
from weir.launch.base import find_launcher
from weir.study.library import find_study
from weir.study.load import load_study
from weir.units import parse_seconds


def show_dry_run(wish: StudyWish, *, as_json: bool) -> ExitCode:
    """Show the plan, and beside it what a run would refuse it for, whose exit code is returned."""
    budget_s = parse_seconds(wish.budget) if wish.budget is not None else None
    core = Core(find_core())
    launcher = find_launcher(wish.launcher)
    loaded = load_study(find_study(wish.study)).asking_for(wish.asked)
    sources = foresee(loaded, wish.directory, wish.calibration)
    plan = make_plan(loaded, core, wish.directory, sources.blocks)
    obstacle: WeirError | None = None
    commands: list[str] = []
    try:
        launcher.prepare()
        plan = without_what_the_mpi_lacks(plan, launcher)
        commands = first_commands(plan, launcher, str(core.program))
        check_before(plan, launcher, keep=wish.keep)
    except WeirError as error:
        obstacle = error
    if as_json:
        data = plan_data(plan, commands, keep=wish.keep, budget_s=budget_s)
        calibrations = [source.as_data() for source in sources.sources]
        print_json(
            {**data, "calibrations": calibrations, "obstacle": obstacle.as_data() if obstacle else None}
        )
    else:
        for source in sources.sources:
            sys.stdout.write(f"{source.in_words()}\n\n")
        show_plan(plan, commands, keep=wish.keep, budget_s=budget_s)
    if obstacle is None:
        return ExitCode.FINE
    print(f"weir: {obstacle}", file=sys.stderr)
    return obstacle.exit_code
