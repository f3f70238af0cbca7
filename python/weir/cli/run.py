"""`weir run`: carry out a study."""

from __future__ import annotations

import datetime
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weir.cli._options import (
    BudgetOption,
    CalibrationOption,
    DirOption,
    DryRunOption,
    HostfileOption,
    JsonOption,
    KeepOption,
    LauncherOption,
    NodesOption,
    ProgressOption,
    StudyArgument,
    StudyRequest,
    WithOption,
    writes,
)
from weir.cli._streams import print_json, results_told
from weir.errors import ExitCode, Interrupted

if TYPE_CHECKING:
    from weir.measure.study_run import Outcome

OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="RUN",
        help="The run to create or continue. Default: STUDY-TIME in the site's folder, else in runs.",
    ),
]
OnlyNodesOption = Annotated[
    int | None,
    typer.Option(
        "--only-nodes", min=0, metavar="N", help="Only the cases of so many nodes; 0: of no number."
    ),
]
TrustOption = Annotated[
    bool,
    typer.Option(
        "--trust",
        "--allow-env",
        help="Let a study that is not Weir's own load code, and read and write files that it names.",
    ),
]


@writes
def command(
    study: StudyArgument,
    out: OutOption = None,
    dir: DirOption = None,
    with_: WithOption = None,
    budget: BudgetOption = None,
    nodes: NodesOption = None,
    hostfile: HostfileOption = None,
    keep: KeepOption = False,
    calibration: CalibrationOption = None,
    trust: TrustOption = False,
    only_nodes: OnlyNodesOption = None,
    dry_run: DryRunOption = False,
    launcher: LauncherOption = None,
    progress: ProgressOption = "auto",
    json: JsonOption = False,
) -> ExitCode:
    """Run STUDY and keep every sample in RUN. With the same --out it goes on where the last one stopped.

    Exit codes: 0 fine; 2 nothing ran; 3 a case could not run; 4 data read back wrong; 5 no case became
    precise and no question was decided; 6 the study selects nothing; 130 interrupted, finished results are
    kept.
    """
    from weir.cli._dry_run import show_dry_run
    from weir.cli._study_plan import asked_of, planned
    from weir.launch.base import launcher_name

    request = StudyRequest(
        study,
        dir,
        launcher_name(launcher),
        tuple(with_ or ()),
        budget,
        keep,
        calibration,
        nodes,
        hostfile,
        only_nodes,
    )
    if dry_run:
        return show_dry_run(planned(asked_of(request)), as_json=json)
    return carry_out(request, out, progress, trust=trust, as_json=json)


def carry_out(
    request: StudyRequest, wanted: Path | None, progress: str, *, trust: bool = False, as_json: bool = False
) -> ExitCode:
    """Plan, run, and print the results; returns the exit code of the outcome."""
    from weir.cli._progress import open_progress, progress_kind
    from weir.cli._results import summary_data
    from weir.cli._screen import show_run
    from weir.cli._study_plan import asked_of, check_trusted, planned
    from weir.launch.base import find_launcher
    from weir.measure.plan import only_on
    from weir.measure.study_run import Settings, run_study
    from weir.printable import printable
    from weir.report.first_cases import with_first
    from weir.report.undecided import exit_code, open_cases
    from weir.store.run_directory import RunDirectory, new_run
    from weir.study.launch_settings import variables_of
    from weir.study.reach import reaches_of

    kind, budget_s = progress_kind(progress), request.budget_s
    if wanted is not None:
        RunDirectory(wanted).check_own()
    asked = asked_of(request)
    out = wanted or new_run(asked.study.name, datetime.datetime.now())
    variables, reaches = variables_of(asked.study), reaches_of(asked.study, asked.core.schema())
    for words in [*(one.in_words() for one in variables), *(one.in_words() for one in reaches)]:
        print(printable(f"weir: the study sets {words}"), file=sys.stderr)
    if not trust:
        check_trusted(asked)
    plan = with_first(only_on(planned(asked, out, progress).plan, request.only_nodes))
    with open_progress(kind) as watcher, _place_told(out, told=wanted is None):
        settings = Settings(
            out,
            budget_s=budget_s,
            keep=request.keep,
            command=sys.argv,
            open_cases=open_cases,
            watcher=watcher,
        )
        outcome = _in_its_job(
            out, lambda: run_study(plan, asked.core, find_launcher(request.launcher), settings)
        )
    with results_told(out):
        code = exit_code(outcome)
        if as_json:
            print_json({"run": str(outcome.run.path), "exit_code": int(code), **summary_data(outcome.run)})
            return code
        if outcome.measured == 0:
            finished = "every case was finished before; for new samples choose another --out"
            print(f"weir: {finished}", file=sys.stderr)
        show_run(out)
    return code


def _in_its_job(out: Path, work: Callable[[], Outcome]) -> Outcome:
    """What the work gives; where this is a job that `weir submit` handed in, the run holds when it began."""
    from weir.batch.base import job_of_process
    from weir.jobs.record import JobFolder
    from weir.report.undecided import exit_code

    return JobFolder(out).carry_out(job_of_process(), work, lambda found: int(exit_code(found)))


@contextmanager
def _place_told(out: Path, *, told: bool) -> Iterator[None]:
    """Says where a run is that was interrupted, where nobody chose that."""
    try:
        yield
    except (Interrupted, KeyboardInterrupt):
        if told:
            print(
                f"weir: to go on, give the same command with --out {shlex.quote(str(out))}", file=sys.stderr
            )
        raise
