"""Doctor, quick study, report: one after the other, with words for the person on standard error."""

from __future__ import annotations

import datetime
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from weir.core.client import Core
from weir.core.locate import find_core
from weir.counts import count_words
from weir.drive.events import Watcher
from weir.drive.needs import free_disk, free_memory
from weir.drive.plan import Plan, make_plan
from weir.drive.scratch import check_directory
from weir.drive.study_run import Outcome, Settings, run_study
from weir.errors import Interrupted, WeirError
from weir.evaluate.fit import fit_plan
from weir.exit_codes import ExitCode
from weir.launch.base import find_launcher
from weir.report.write import Written, write_page
from weir.study.library import find_study
from weir.study.load import load_study
from weir.units import spell_seconds

RUNS = Path("runs")
DEFAULT_LAUNCHER = "mpirun"


@dataclass(frozen=True)
class Wish:
    """What the person asked for; `out` null chooses a new folder, `budget_s` null takes the study's."""

    directory: Path
    out: Path | None
    budget_s: float | None
    study: str = "quick"
    launcher: str = DEFAULT_LAUNCHER


def choose_out(wish: Wish, now: datetime.datetime) -> Path:
    """The run that was asked for, or a new one named by study and time."""
    return wish.out or RUNS / f"{wish.study}-{now:%Y%m%d-%H%M%S}"


def plan_for_this_machine(wish: Wish, core: Core) -> Plan:
    """The study's plan, without the cases that are too large here. Raises WeirError if none is left."""
    plan = make_plan(load_study(find_study(wish.study)), core, wish.directory)
    fitted = fit_plan(plan, free_disk(wish.directory), free_memory())
    if not fitted.plan.cases:
        why = f"all {fitted.left_out} cases are too large: {fitted.why}"
        raise WeirError(
            f"nothing can be measured in '{wish.directory}'", why, "free space, or choose another"
        )
    if fitted.left_out:
        say(f"left out: {fitted.left_out} of {count_words(len(plan.cases), 'case')} ({fitted.why})")
    return fitted.plan


def evaluate(wish: Wish, watcher: Watcher, command: Sequence[str]) -> tuple[Outcome, Written]:
    """Measure and report. Raises WeirError if nothing can run, Interrupted after saying how to go on."""
    check_directory(wish.directory)
    core = Core(find_core())
    plan = plan_for_this_machine(wish, core)
    out = choose_out(wish, datetime.datetime.now())
    again = resume_command(wish, out)
    budget_s = wish.budget_s or plan.study.budget_s
    say(f"measuring {len(plan.cases)} cases in '{wish.directory}' for at most {budget_s:.0f} s, into '{out}'")
    settings = Settings(out=out, budget_s=budget_s, command=command, watcher=watcher)
    try:
        outcome = run_study(plan, core, find_launcher(wish.launcher), settings)
    except (Interrupted, KeyboardInterrupt):
        say(f"to go on where this stopped: {again}")
        raise
    return outcome, write_page(out)


def resume_command(wish: Wish, out: Path) -> str:
    """The command that goes on with this very run."""
    words = ["weir", "evaluate", "--dir", str(wish.directory), "--out", str(out)]
    if wish.budget_s is not None:
        words += ["--budget", spell_seconds(wish.budget_s)]
    if wish.launcher != DEFAULT_LAUNCHER:
        words += ["--launcher", wish.launcher]
    return shlex.join(words)


def exit_code(outcome: Outcome) -> ExitCode:
    """The outcome's code, but fine where all is well save for noise: a report was asked for, it is there, and
    it says what is inconclusive."""
    return ExitCode.FINE if outcome.exit_code is ExitCode.INCONCLUSIVE else outcome.exit_code


def say(text: str) -> None:
    """A line for the person, on standard error."""
    print(f"weir: {text}", file=sys.stderr, flush=True)
