"""`weir submit`: carry out a study in jobs of a batch system."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
from weir.errors import ExitCode, WeirError

if TYPE_CHECKING:
    from weir.batch.base import BatchSystem, JobRequest
    from weir.cli._study_plan import Planned
    from weir.jobs.ask import Share, Wishes
    from weir.jobs.hand_in import Studied

JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs", min=1, metavar="N", help="So many, one after the other. Default: as few as --time allows."
    ),
]
SplitOption = Annotated[
    bool,
    typer.Option("--split", help="Jobs of their own for each number of nodes, none larger than its cases."),
]
JobNodesOption = Annotated[
    int | None,
    typer.Option(
        "--job-nodes", min=1, metavar="N", help="Nodes of each job, over which studies of the network spread."
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
    typer.Option(
        "--launcher",
        help="The launcher of ranks in the jobs. Default: the site's, else the batch system's own.",
    ),
]
ScriptsOption = Annotated[bool, typer.Option("--dry-run", help="Show the scripts, hand in nothing.")]


@dataclass(frozen=True)
class _Job:
    """A job, and how long it is to measure."""

    request: JobRequest
    budget_s: float


@dataclass(frozen=True)
class _Handing:
    """Jobs to hand in, for the run at that path."""

    run: Path
    system: BatchSystem
    jobs: tuple[_Job, ...]
    study: Studied


@writes
def command(
    study: StudyArgument,
    out: OutOption = None,
    dir: DirOption = None,
    with_: WithOption = None,
    budget: BudgetOption = None,
    jobs: JobsOption = None,
    split: SplitOption = False,
    job_nodes: JobNodesOption = None,
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
    from weir.cli._study_plan import asked_of, check_trusted, planned
    from weir.jobs.ask import Wishes
    from weir.units import parse_seconds

    system = _batch_system()
    comparisons = tuple(with_ or ())
    request = StudyRequest(
        study, dir, _launcher(launcher, system), comparisons, budget, keep, calibration, nodes, hostfile
    )
    wishes = Wishes(parse_seconds(time) if time else None, jobs, account, partition)
    if not dry_run:
        _prepare(system)
    asked = asked_of(request)
    asked = replace(asked, study=asked.study.in_job_of(job_nodes or 1))
    if not (trust or dry_run):
        check_trusted(asked)
    handing = _jobs_of(planned(asked), system, out, wishes, split=split, trust=trust)
    if dry_run:
        return _show_scripts(handing, as_json=json)
    return _hand_in(handing, as_json=json)


def _batch_system() -> BatchSystem:
    """The site's, else Slurm."""
    from weir.batch.base import find_batch_system
    from weir.site.load import site

    return find_batch_system(site().job.system or "slurm")


def _prepare(system: BatchSystem) -> None:
    """Raises WeirError where its commands are missing, with the line of the site that names it."""
    from weir.site.load import site

    here = site()
    try:
        system.prepare()
    except WeirError as error:
        place = f"{here.place('job.system')}: " if here.job.system else ""
        raise WeirError(place + error.problem, error.why, error.suggestion) from error


def _jobs_of(
    found: Planned, system: BatchSystem, wanted: Path | None, wishes: Wishes, *, split: bool, trust: bool
) -> _Handing:
    """The jobs, with their scripts' places. Raises WeirError for times that leave nothing to measure in."""
    import datetime

    from weir.jobs.ask import request_of, share_of, sizes_of, with_script
    from weir.jobs.hand_in import Studied
    from weir.jobs.record import JobFolder
    from weir.site.load import site
    from weir.store.run_directory import new_run
    from weir.study.load import find_study, is_own, read_study

    request, plan, job = found.request, found.plan, site().job
    run = (wanted or new_run(found.study.name, datetime.datetime.now())).absolute()
    path, folder, jobs = find_study(request.study), JobFolder(run), []
    number = folder.next_number()
    copy = None if is_own(path) else folder.study_path(number)
    study = Studied(len(plan.cases), copy, read_study(path) if copy else b"")
    for nodes, part, of_time in sizes_of(plan) if split else [(None, plan, 1.0)]:
        share = share_of(of_time * plan.budget_s(request.budget_s), wishes, job.longest_s)
        each = request_of(part, run, job, wishes, share)
        of_part = replace(request, only_nodes=nodes, study=str(copy or request.study))
        words = _command(of_part, run, share, trust=trust)
        for _ in range(share.jobs):
            jobs.append(_Job(with_script(each, folder.script_path(number), words), share.budget_s))
            number += 1
    return _Handing(run, system, tuple(jobs), study)


def _launcher(asked: str | None, system: BatchSystem) -> str:
    """The launcher that was asked for, the site's, or the batch system's own. Raises WeirError where there
    is none of that name: its jobs would wait for nothing."""
    from weir.launch.base import find_launcher, launcher_name
    from weir.site.load import site

    name = launcher_name(asked) if asked or site().launcher else system.launcher
    find_launcher(name)
    return name


def _command(request: StudyRequest, run: Path, share: Share, *, trust: bool) -> tuple[str, ...]:
    """What a job runs."""
    words = [*_this_program(), "run", request.study, "--out", str(run), "--launcher", request.launcher]
    words += ["--budget", f"{share.budget_s:.0f}s", "--progress", "plain"]
    for option, value in (("--dir", request.directory), ("--calibration", request.calibration)):
        words += [option, str(value.absolute())] if value is not None else []
    for name in request.asked:
        words += ["--with", name]
    words += ["--only-nodes", str(request.only_nodes)] if request.only_nodes is not None else []
    words += ["--nodes", request.nodes] if request.nodes else []
    words += ["--hostfile", str(request.hostfile.absolute())] if request.hostfile else []
    words += ["--keep"] if request.keep else []
    return (*words, *(["--trust"] if trust else []))


def _this_program() -> list[str]:
    """How a job calls this very Weir."""
    called = Path(sys.argv[0])
    return [str(called.absolute())] if called.name == "weir" else [sys.executable, "-m", "weir.cli.main"]


def launcher_in_jobs(asked: str | None) -> str:
    """Of studies that are handed in. Raises WeirError where none can be."""
    return _launcher(asked, _batch_system())


def show_scripts(found: Planned) -> None:
    """Print the scripts of the jobs of such a study, which was planned for their launcher. Raises WeirError
    where it could not be handed in."""
    from weir.jobs.ask import Wishes

    jobs = _jobs_of(found, _batch_system(), None, Wishes(), split=False, trust=False)
    _show_scripts(jobs, as_json=False)


def _show_scripts(handing: _Handing, *, as_json: bool) -> ExitCode:
    from weir.cli._streams import print_json, print_lines

    requests = [job.request for job in handing.jobs]
    scripts = {str(one.script): handing.system.script(one) for one in requests}
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

    requests = [job.request for job in handing.jobs]
    submitted = hand_in(handing.run, handing.system, requests, handing.study)
    if as_json:
        print_json({"run": str(handing.run), "jobs": [one.id for one in submitted]})
        return ExitCode.FINE
    rows = [
        (
            one.id,
            count_words(size.nodes, "node") if size.nodes else count_words(size.ranks, "rank"),
            format_seconds(job.request.time_s),
            format_seconds(job.budget_s),
        )
        for one, job in zip(submitted, handing.jobs, strict=True)
        if (size := job.request.size)
    ]
    print_table(("job", "on", "time", "measures for"), rows)
    print_lines(["", f"weir status {shlex.quote(str(handing.run))}"])
    return ExitCode.FINE
