"""The real run behind `weir run`."""

import sys
from collections.abc import Sequence
from pathlib import Path

from weir.cli._calibrate.for_study import keep_in_run, provide
from weir.cli._lost_output import results_told
from weir.cli._output import print_json
from weir.cli._progress import open_progress, progress_kind
from weir.cli._run.table import show_summary, summary_data
from weir.cli._study import StudyWish
from weir.core.client import Core
from weir.core.locate import find_core
from weir.drive.plan import make_plan
from weir.drive.study_run import Outcome, Settings, run_study
from weir.exit_codes import ExitCode
from weir.launch.base import find_launcher
from weir.printable import printable
from weir.store.run_directory import RunDirectory
from weir.study.environment import check_allowed, variables_of
from weir.study.library import find_study, is_own
from weir.study.load import load_study
from weir.units import parse_seconds


def carry_out(
    wish: StudyWish, out: Path, progress: str, *, allow_env: bool, as_json: bool, command: Sequence[str]
) -> ExitCode:
    """Plan, run, and print the results; returns the exit code of the outcome."""
    kind = progress_kind(progress)
    budget_s = parse_seconds(wish.budget) if wish.budget is not None else None
    RunDirectory(out).check_own()
    core = Core(find_core())
    path = find_study(wish.study)
    loaded = load_study(path).asking_for(wish.asked)
    for variable in variables_of(loaded):
        print(printable(f"weir: the study sets {variable.in_words()}"), file=sys.stderr)
    if not (allow_env or is_own(path)):
        check_allowed(loaded)
    sources = provide(
        loaded, wish.directory, wish.calibration, out=out, launcher=wish.launcher, progress=progress
    )
    plan = make_plan(loaded, core, wish.directory, sources.blocks)
    keep_in_run(sources, out)
    with open_progress(kind) as watcher:
        settings = Settings(out=out, budget_s=budget_s, keep=wish.keep, command=command, watcher=watcher)
        outcome = run_study(plan, core, find_launcher(wish.launcher), settings)
    with results_told(out):
        _show(outcome, as_json=as_json)
    return outcome.exit_code


def _show(outcome: Outcome, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {"run": str(outcome.run.path), "exit_code": int(outcome.exit_code), **summary_data(outcome.run)}
        )
        return
    if outcome.measured == 0:
        print("weir: every case was finished before; for new samples choose another --out", file=sys.stderr)
    show_summary(outcome.run, requests=False)
