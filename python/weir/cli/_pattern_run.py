"""Runs of patterns, as `weir replay` and `weir predict` make them: a study of one comparison."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weir.cli._progress import ProgressKind
    from weir.core.client import Core
    from weir.errors import ExitCode
    from weir.measure.plan import Plan
    from weir.measure.study_run import Outcome
    from weir.replay.prepare import ReplayRequest


def new_run(request: ReplayRequest, what: str) -> Path:
    """The run directory, made."""
    import datetime

    from weir.store.run_directory import RunDirectory

    out = request.choose_out(datetime.datetime.now(), what)
    RunDirectory(out).prepare()
    return out


def run_plan(
    plan: Plan, core: Core, request: ReplayRequest, out: Path, kind: ProgressKind
) -> tuple[Outcome, ExitCode]:
    """Measure, and say how it ended. The repetitions are as many as were asked for, however far apart they
    lie: the intervals say it, and that they are wide is no failure."""
    from weir.cli._progress import open_progress
    from weir.evaluate import exit_code
    from weir.launch.base import find_launcher
    from weir.measure.study_run import Settings, run_study

    with open_progress(kind) as watcher:
        settings = Settings(out=out, keep=request.keep, command=sys.argv, watcher=watcher)
        outcome = run_study(plan, core, find_launcher(request.launcher), settings)
    return outcome, exit_code(outcome)


def checked_plan(request: ReplayRequest, plan_in: Callable[[Path], Plan]) -> Plan:
    """The plan, for a dry run, with its patterns in a folder that is gone afterwards. Raises WeirError where
    it could not be carried out."""
    import tempfile

    from weir.launch.base import find_launcher
    from weir.measure.study_run import check_before

    with tempfile.TemporaryDirectory(prefix="weir-") as folder:
        plan = plan_in(Path(folder))
    check_before(plan, find_launcher(request.launcher), keep=request.keep)
    return plan
