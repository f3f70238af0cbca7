"""The evaluation of a machine: a study cut to fit this machine, measured, and reported, with words for the
person on standard error."""

import datetime
import shlex
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from weir.core.client import Core, find_core
from weir.errors import ExitCode, Interrupted, WeirError
from weir.evaluation.selection import STORAGE_ALONE, WHOLE, Selection, selected
from weir.launch.base import DEFAULT, find_launcher, launcher_name
from weir.measure.events import Watcher
from weir.measure.plan import Plan, free_disk, free_memory, make_plan
from weir.measure.scratch_directory import check_directory
from weir.measure.study_run import Outcome, Settings, run_study
from weir.questions.asked import check_asked
from weir.report.first_cases import with_first
from weir.report.page import Written, write_page
from weir.report.undecided import open_cases
from weir.store.run_directory import RunDirectory, new_run, removal_told
from weir.study.case import LeftOut
from weir.study.load import Study, find_study, load_study
from weir.units import count_words, format_bytes, spell_seconds

ALONE = "alone"
DISK_SHARE = 0.5
MEMORY_SHARE = 0.25


@dataclass(frozen=True)
class Evaluation:
    """What the person asked for; `out` null chooses a new folder, `budget_s` null takes the study's."""

    directory: Path
    out: Path | None
    budget_s: float | None
    study: str = WHOLE
    launcher: str = DEFAULT
    selection: Selection = field(default_factory=Selection)


def choose_out(wanted: Evaluation, now: datetime.datetime) -> Path:
    """The run that was asked for, or a new one named by study and time."""
    return wanted.out or new_run(wanted.study, now)


def chosen(
    directory: Path, out: Path | None, budget_s: float | None, launcher: str, selection: Selection
) -> Evaluation:
    """What the person asked for; where nothing is selected, a run of the storage alone goes on as that."""
    study = selection.study
    if out is not None and selection == Selection() and RunDirectory(out).exists():
        named = RunDirectory(out).info().study.name
        study = named if named == STORAGE_ALONE else study
    return Evaluation(directory, out, budget_s, study, _launcher(launcher), selection)


def _launcher(name: str) -> str:
    """The one that was asked for; one rank alone where nothing was, and there is no other."""
    if name != DEFAULT or shutil.which(name) is not None:
        return name
    say(f"there is no {name}: what takes several ranks is left out")
    return ALONE


def study_of(wanted: Evaluation) -> Study:
    """What is to be measured. Raises WeirError for parts that there are not, and shares that cannot be."""
    return selected(check_asked(load_study(find_study(wanted.study))), wanted.selection)


def plan_for_this_machine(wanted: Evaluation, core: Core) -> Plan:
    """The study's plan, without the cases that are too large here. Raises WeirError if none is left."""
    plan = make_plan(study_of(wanted), core, wanted.directory)
    fitted = fit_plan(plan, free_disk(wanted.directory), free_memory())
    if not fitted.plan.cases:
        why = f"all {fitted.left_out} cases are too large: {fitted.why}"
        raise WeirError(
            f"nothing can be measured in '{wanted.directory}'", why, "free space, or choose another"
        )
    return with_first(fitted.plan)


def evaluate(wanted: Evaluation, watcher: Watcher, command: Sequence[str]) -> tuple[Outcome, Written]:
    """Measure and report. Raises WeirError if nothing can run, Interrupted after saying how to go on."""
    check_directory(wanted.directory)
    core = Core(find_core())
    plan = plan_for_this_machine(wanted, core)
    out = choose_out(wanted, datetime.datetime.now())
    again = resume_command(wanted, out)
    budget_s = plan.budget_s(wanted.budget_s)
    cases = f"{count_words(len(plan.cases), 'case')} in '{wanted.directory}'"
    say(f"measuring {cases} for at most {budget_s:.0f} s, into '{out}'")
    settings = Settings(out=out, budget_s=budget_s, command=command, watcher=watcher, open_cases=open_cases)
    try:
        outcome = run_study(plan, core, find_launcher(wanted.launcher), settings)
    except (Interrupted, KeyboardInterrupt):
        say(f"to go on where this stopped: {again}")
        raise
    with removal_told(out):
        return outcome, write_page(out)


def resume_command(wanted: Evaluation, out: Path) -> str:
    """The command that goes on with this very run."""
    words = ["weir", "evaluate", "--dir", str(wanted.directory), "--out", str(out)]
    if wanted.selection.only:
        words += ["--only", ",".join(wanted.selection.only)]
    for name, share in wanted.selection.shares.items():
        words += ["--time", f"{name}={100 * share:g}%"]
    if wanted.selection.full:
        words.append("--full")
    if wanted.budget_s is not None:
        words += ["--budget", spell_seconds(wanted.budget_s)]
    if wanted.launcher != launcher_name(None):
        words += ["--launcher", wanted.launcher]
    return shlex.join(words)


def exit_code(outcome: Outcome) -> ExitCode:
    """The outcome's code, but fine where all is well save for noise: a report was asked for, it is there, and
    it says what is inconclusive."""
    return ExitCode.FINE if outcome.exit_code is ExitCode.INCONCLUSIVE else outcome.exit_code


def say(text: str) -> None:
    """A line for the person, on standard error."""
    print(f"weir: {text}", file=sys.stderr, flush=True)


@dataclass(frozen=True)
class Fitted:
    """A plan whose cases fit, and why others were left out; empty where none was."""

    plan: Plan
    left_out: int
    why: str


def fit_plan(plan: Plan, free_disk_bytes: int | None, free_memory_bytes: int | None) -> Fitted:
    """The plan without cases whose files fill more than half of the free space or a quarter of free memory.

    Memory counts since the page cache takes it, and in a file system in memory the files do too. What is
    not known limits nothing.
    """
    limits = [
        (share * free, name)
        for share, free, name in (
            (DISK_SHARE, free_disk_bytes, "half of the free space"),
            (MEMORY_SHARE, free_memory_bytes, "a quarter of the free memory"),
        )
        if free is not None
    ]
    if not limits:
        return Fitted(plan, 0, "")
    limit, name = min(limits)
    kept = [case for case in plan.cases if (plan.descriptions[case.id].totals.bytes_on_disk or 0) <= limit]
    why = f"its files are larger than {name}, {format_bytes(limit)}"
    gone = tuple(LeftOut(case.label, case.comparisons, why) for case in plan.cases if case not in kept)
    fitted = replace(plan, cases=kept, left_out=(*plan.left_out, *gone))
    return Fitted(fitted, len(gone), why if gone else "")
