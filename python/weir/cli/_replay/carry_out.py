"""The real replay behind `weir replay`."""

from __future__ import annotations

import datetime
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from weir.cli._lost_output import results_told
from weir.cli._output import print_json
from weir.cli._progress import open_progress, progress_kind
from weir.cli._replay.show import replay_data, show_before, show_phases
from weir.core.client import Core
from weir.core.locate import find_core
from weir.drive.plan import make_plan
from weir.drive.study_run import Settings, check_before, run_study
from weir.exit_codes import ExitCode
from weir.launch.base import find_launcher
from weir.replay.outcomes import outcomes
from weir.replay.prepare import Prepared, ReplayRequest, prepare, replay_study
from weir.store.run_directory import RunDirectory

PATTERN = "pattern.json"


def replay_and_show(
    request: ReplayRequest, progress: str, *, dry_run: bool, as_json: bool, command: Sequence[str]
) -> ExitCode:
    """Prepare the pattern, carry it out, and print what it came to; returns the exit code."""
    kind = progress_kind(progress)
    request.check()
    core = Core(find_core())
    prepared = prepare(request, core)
    if dry_run:
        return _only_show(request, prepared, core, as_json=as_json)
    out = request.choose_out(datetime.datetime.now())
    RunDirectory(out).prepare()
    path = (out / PATTERN).absolute()
    prepared.write(path)
    plan = make_plan(replay_study(request, prepared, path), core, request.directory)
    if not as_json:
        show_before(request, prepared, plan, sys.stderr)
    with open_progress(kind) as watcher:
        settings = Settings(out=out, keep=request.keep, command=command, watcher=watcher)
        outcome = run_study(plan, core, find_launcher(request.launcher), settings)
    found = outcomes(outcome.run.stream(), prepared.preparing)
    # The repetitions are as many as were asked for, however far apart they lie: the intervals say it.
    code = ExitCode.FINE if outcome.exit_code is ExitCode.INCONCLUSIVE else outcome.exit_code
    with results_told(out):
        if as_json:
            print_json({**replay_data(request, prepared, found), "run": str(out), "exit_code": int(code)})
        else:
            show_phases(prepared, found, out, outcome.failures)
    return code


def _only_show(request: ReplayRequest, prepared: Prepared, core: Core, *, as_json: bool) -> ExitCode:
    with tempfile.TemporaryDirectory(prefix="weir-") as folder:
        path = Path(folder) / PATTERN
        prepared.write(path)
        plan = make_plan(replay_study(request, prepared, path), core, request.directory)
    check_before(plan, find_launcher(request.launcher), keep=request.keep)
    if as_json:
        print_json(replay_data(request, prepared, []))
    else:
        show_before(request, prepared, plan, sys.stdout)
    return ExitCode.FINE
