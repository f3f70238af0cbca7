"""`weir network refine`: where exactly a protocol switches."""

from typing import Annotated

import typer

from weir.cli._options import JsonOption, LauncherOption, ProgressOption, RunArgument, writes
from weir.cli._streams import print_json, print_lines
from weir.errors import ExitCode
from weir.units import count_words, parse_seconds

BudgetOption = Annotated[str, typer.Option("--budget", help="Time for the samples of one round.")]


@writes
def command(
    run: RunArgument,
    budget: BudgetOption = "30s",
    launcher: LauncherOption = None,
    progress: ProgressOption = "auto",
    json: JsonOption = False,
) -> ExitCode:
    """Measure more message sizes in RUN where its times seem to jump, or a send begins to wait for
    its receiver, and keep them in RUN.

    Each of at most three rounds divides the distance between the two neighbouring sizes by eight, until they
    lie within 1 % or 8 bytes. `weir network model RUN` then shows the switches.

    Exit codes: 0 fine; 2 nothing ran; 3 a case could not run; 5 no size became precise; 6 the run has no
    PingPong; 130 interrupted, finished results are kept.
    """
    import sys
    from pathlib import Path

    from weir.cli._progress import open_progress, progress_kind
    from weir.core.client import Core, find_core
    from weir.launch.base import find_launcher, launcher_name
    from weir.measure.plan import make_plan
    from weir.measure.study_run import Settings, run_study
    from weir.network.measured import paths_of
    from weir.network.refine import (
        ROUNDS,
        extended,
        extended_late,
        functions_of,
        late_sizes_to_measure,
        sizes_to_measure,
    )
    from weir.store.run_directory import RunDirectory
    from weir.study.load import load_study

    opened, kind = RunDirectory(run), progress_kind(progress)
    core, asked, code = Core(find_core()), set[int](), ExitCode.FINE
    budget_s = parse_seconds(budget)
    for _ in range(ROUNDS):
        paths = paths_of(opened)
        sizes = sorted({size for path in paths for size in sizes_to_measure(path.used)})
        late, busy_s = max(late_sizes_to_measure(path.used) for path in paths)
        if not sizes and not late:
            break
        study = extended(load_study(opened.study_path), functions_of(paths[0].used), sizes)
        study = extended_late(study, late, busy_s)
        directory = opened.info().directory
        plan = make_plan(study, core, Path(directory) if directory else None)
        with open_progress(kind) as watcher:
            settings = Settings(run, budget_s=budget_s, command=sys.argv, watcher=watcher)
            code = run_study(plan, core, find_launcher(launcher_name(launcher)), settings).exit_code
        asked |= {*sizes, *late}
    counted = {call.bytes for path in paths_of(opened) for call in path.used}
    measured, missing = sorted(asked & counted), len(asked - counted)
    if missing and not measured:
        code = max(code, ExitCode.INCONCLUSIVE)
    if json:
        found = {"run": str(run), "sizes": measured, "sizes_without_samples": missing}
        print_json({**found, "exit_code": int(code)})
        return code
    lines = []
    if measured:
        more = count_words(len(measured), "more size")
        lines.append(f"measured {more}: `weir network model {run}` shows the result")
    if missing:
        lines.append(
            f"no sample counts for {count_words(missing, 'more size')}: the same command again goes on, a "
            "larger --budget gets further"
        )
    print_lines(lines or ["no place where the time jumps has sizes left to measure"])
    return code
