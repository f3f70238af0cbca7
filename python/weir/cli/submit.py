"""`weir submit`: carry out a study in jobs of a batch system."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weir.cli._options import (
    BudgetOption,
    CalibrationOption,
    DirOption,
    HostfileOption,
    JsonOption,
    KeepOption,
    NodesOption,
    StudyArgument,
    StudyRequest,
    WithOption,
    writes,
)
from weir.cli.run import OutOption, TrustOption
from weir.errors import ExitCode

if TYPE_CHECKING:
    from weir.batch.base import BatchSystem, JobRequest
    from weir.jobs.ask import Share

JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs", min=1, metavar="N", help="So many, one after the other. Default: as few as --time allows."
    ),
]
TimeOption = Annotated[
    str | None,
    typer.Option(
        "--time", help='Of each job, as "2h". Default: what the budget takes, or the site\'s longest.'
    ),
]
AccountOption = Annotated[str | None, typer.Option("--account", help="Whom the jobs are charged to.")]
PartitionOption = Annotated[str | None, typer.Option("--partition", help="Where the jobs run.")]
LauncherOption = Annotated[
    str | None,
    typer.Option("--launcher", help="The launcher of ranks in the jobs. Default: the batch system's own."),
]
ScriptsOption = Annotated[bool, typer.Option("--dry-run", help="Show the scripts, hand in nothing.")]


@dataclass(frozen=True)
class _Handing:
    """Jobs to hand in, for the run at that path."""

    run: Path
    system: BatchSystem
    jobs: tuple[JobRequest, ...]
    share: Share


@writes
def command(
    study: StudyArgument,
    out: OutOption = None,
    dir: DirOption = None,
    with_: WithOption = None,
    budget: BudgetOption = None,
    jobs: JobsOption = None,
    time: TimeOption = None,
    account: AccountOption = None,
    partition: PartitionOption = None,
    nodes: NodesOption = None,
    hostfile: HostfileOption = None,
    keep: KeepOption = False,
    calibration: CalibrationOption = None,
    trust: TrustOption = False,
    launcher: LauncherOption = None,
    dry_run: ScriptsOption = False,
    json: JsonOption = False,
) -> ExitCode:
    """Hand in jobs that carry out STUDY; with the same --out they go on where the last ones stopped.

    Jobs of a run wait for each other: what one could not finish, the next does. `weir status RUN` says how
    far they are. Exit code 2 where the batch system refuses; no job is left then.
    """
    from weir.jobs.ask import Wishes
    from weir.units import parse_seconds

    asked = tuple(with_ or ())
    request = StudyRequest(study, dir, launcher or "", asked, budget, keep, calibration, nodes, hostfile)
    wishes = Wishes(parse_seconds(time) if time else None, jobs, account, partition)
    handing = _planned(request, out, wishes, trust=trust, dry=dry_run)
    if dry_run:
        return _show_scripts(handing, as_json=json)
    return _hand_in(handing, as_json=json)


def _planned(request: StudyRequest, wanted: Path | None, wishes: Any, *, trust: bool, dry: bool) -> _Handing:
    """The jobs, with their scripts' places. Raises WeirError for all that can be known to be wrong."""
    import datetime
    import tempfile

    from weir.batch.base import find_batch_system
    from weir.cli._calibration import foresee
    from weir.cli._nodes import on_nodes
    from weir.cli._site import storage_of_study
    from weir.core.client import Core, find_core
    from weir.jobs.ask import request_of, share_of, with_script
    from weir.jobs.record import JobFolder
    from weir.measure.plan import make_plan
    from weir.predict.study_patterns import StudyPatterns
    from weir.questions.asked import check_asked
    from weir.site.load import site
    from weir.store.run_directory import new_run
    from weir.study.load import find_study, is_own, load_study
    from weir.study.reach import check_allowed
    from weir.units import parse_seconds

    here, core, path = site(), Core(find_core()), find_study(request.study)
    system = find_batch_system(here.job.system or "slurm")
    if not dry:
        system.prepare()
    loaded = on_nodes(check_asked(load_study(path)).asking_for(request.asked), request)
    if not (trust or dry or is_own(path)):
        check_allowed(loaded, core.schema())
    directory = storage_of_study(request.directory, loaded, core)
    sources = foresee(loaded, directory, request.calibration)
    with tempfile.TemporaryDirectory(prefix="weir-") as folder:
        patterns = StudyPatterns(Path(folder), core)
        plan = make_plan(loaded, core, directory, sources.block_of, patterns)
    run = (wanted or new_run(loaded.name, datetime.datetime.now())).absolute()
    asked_s = parse_seconds(request.budget) if request.budget is not None else None
    share = share_of(plan.budget_s(asked_s), wishes, here.job.longest_s)
    each = request_of(plan, run, here.job, wishes, share)
    launcher = request.launcher or here.launcher or system.launcher
    words = _command(replace(request, directory=directory), str(path), run, launcher, share, trust=trust)
    folder_of_jobs = JobFolder(run)
    first = folder_of_jobs.next_number()
    scripts = [folder_of_jobs.script_path(number) for number in range(first, first + share.jobs)]
    return _Handing(run, system, tuple(with_script(each, script, words) for script in scripts), share)


def _command(
    request: StudyRequest, path: str, run: Path, launcher: str, share: Share, *, trust: bool
) -> tuple[str, ...]:
    """What a job runs."""
    from weir.study.load import is_own

    study = request.study if is_own(Path(path)) else str(Path(path).absolute())
    words = [*_this_program(), "run", study, "--out", str(run), "--launcher", launcher]
    words += ["--budget", f"{share.budget_s:.0f}s", "--progress", "plain"]
    for option, value in (("--dir", request.directory), ("--calibration", request.calibration)):
        words += [option, str(value.absolute())] if value is not None else []
    for name in request.asked:
        words += ["--with", name]
    words += ["--nodes", request.nodes] if request.nodes else []
    words += ["--hostfile", str(request.hostfile.absolute())] if request.hostfile else []
    words += ["--keep"] if request.keep else []
    return (*words, *(["--trust"] if trust else []))


def _this_program() -> list[str]:
    """How a job calls this very Weir."""
    called = Path(sys.argv[0])
    return [str(called.absolute())] if called.name == "weir" else [sys.executable, "-m", "weir.cli.main"]


def show_scripts(request: StudyRequest) -> None:
    """Print the scripts of the jobs of such a study. Raises WeirError where it could not be handed in."""
    from weir.jobs.ask import Wishes

    _show_scripts(
        _planned(replace(request, launcher=""), None, Wishes(), trust=False, dry=True), as_json=False
    )


def _show_scripts(handing: _Handing, *, as_json: bool) -> ExitCode:
    from weir.cli._streams import print_json, print_lines

    scripts = {str(job.script): handing.system.script(job) for job in handing.jobs}
    if as_json:
        print_json({"run": str(handing.run), "scripts": scripts})
        return ExitCode.FINE
    for path, text in scripts.items():
        print_lines([f"# {path}", *text.splitlines(), ""])
    return ExitCode.FINE


def _hand_in(handing: _Handing, *, as_json: bool) -> ExitCode:
    """Write the scripts and hand them in, all or none."""
    from weir.cli._streams import print_json, print_lines, print_table
    from weir.jobs.hand_in import hand_in
    from weir.units import count_words, format_seconds

    submitted = hand_in(handing.run, handing.system, handing.jobs)
    if as_json:
        print_json({"run": str(handing.run), "jobs": [one.id for one in submitted]})
        return ExitCode.FINE
    size, share = handing.jobs[0].size, handing.share
    on = count_words(size.nodes, "node") if size.nodes else count_words(size.ranks, "rank")
    headings = ("job", "on", "time", "measures for")
    rows = [(one.id, on, format_seconds(share.time_s), format_seconds(share.budget_s)) for one in submitted]
    print_table(headings, rows)
    print_lines(["", f"weir status {shlex.quote(str(handing.run))}"])
    return ExitCode.FINE
