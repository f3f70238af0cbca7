"""`weir network tune`: other algorithms for collectives that violate a guideline, tried and judged."""

from __future__ import annotations

import datetime
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weir.cli._options import (
    DryRunOption,
    EverythingOption,
    JsonOption,
    LauncherOption,
    ProgressOption,
    RunArgument,
    writes,
)
from weir.cli._streams import print_json, print_lines
from weir.errors import ExitCode, WeirError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weir.network.tune.advice import Advice
    from weir.network.tune.algorithms import Algorithm
    from weir.network.tune.trial import Subject
    from weir.results.row import Row
    from weir.store.run_directory import RunDirectory
    from weir.study.load import Study

OutOption = Annotated[
    Path | None,
    typer.Option("--out", metavar="RUN", help="The run of the trial. Default: runs/tune-TIME."),
]
BudgetOption = Annotated[
    str, typer.Option("--budget", help='Time for all samples, as "90s" or "5m"; it cuts no launch.')
]
TrustOption = Annotated[
    bool,
    typer.Option(
        "--trust", "--allow-env", help="Let the run's cases set variables that can load code, as they did."
    ),
]


@writes
def command(
    run: RunArgument,
    out: OutOption = None,
    budget: BudgetOption = "5m",
    trust: TrustOption = False,
    dry_run: DryRunOption = False,
    launcher: LauncherOption = None,
    progress: ProgressOption = "auto",
    everything: EverythingOption = False,
    json: JsonOption = False,
) -> ExitCode:
    """Try the MPI library's other algorithms for the collectives that violate a guideline in RUN.

    Each is measured in turns with the library's own choice, at the sizes of the violations and at others. It
    is advised only if it surely wins, with the variables to set and what it costs at other sizes.

    Exit codes: 0 fine, whether one wins or none; 2 nothing ran; 3 a case could not run; 5 too few rounds to
    tell; 6 the run has no guideline to check; 130 interrupted.
    """
    from weir.launch.base import launcher_name
    from weir.network.guidelines.judge import judge_rows
    from weir.network.tune.trial import subjects_of
    from weir.report.gather import gather
    from weir.store.run_directory import RunDirectory

    rows = gather(RunDirectory(run)).rows
    judged = judge_rows(rows)
    if not judged.judgements:
        raise WeirError(
            f"no guideline can be checked in '{run}'",
            "it has no functions of MPI that could stand in for each other, or too few rounds of them",
            "make a run of the study: `weir run guidelines`",
            ExitCode.NOTHING_SELECTED,
        )
    name = launcher_name(launcher)
    subjects = subjects_of(judged, rows, _offered(name))
    if (everything or dry_run) and not json:
        _show_violations(rows, subjects)
    able = [one for one in subjects if one.algorithms]
    study, tried = _study(able, budget) if able else None, None
    if study and dry_run:
        _show_plan(study, as_json=json)
        return ExitCode.FINE
    if study and not dry_run:
        tried = _measure(study, out, name, progress, trust=trust)
    return _conclude(run, subjects, tried, everything=everything, as_json=json)


def _offered(name: str) -> list[Algorithm]:
    from weir.launch.base import find_launcher
    from weir.launch.mpirun import Mpirun
    from weir.network.tune.algorithms import offered_algorithms

    launcher = find_launcher(name)
    if not isinstance(launcher, Mpirun):
        raise WeirError(f"which algorithms the MPI of '{name}' offers is not known", "", "use mpirun")
    return offered_algorithms(*launcher.program_and_flavour)


def _show_violations(rows: Sequence[Row], subjects: Sequence[Subject]) -> None:
    from weir.cli._results import number_lines, wrapped
    from weir.network.questions.guidelines import place_by, violation_number

    place = place_by(list(rows))
    violations = (violation for one in subjects for violation in one.violations)
    print_lines(number_lines([violation_number(one, place) for one in violations]))
    for one in subjects:
        names = ", ".join(algorithm.name for algorithm in one.algorithms) or "none"
        print_lines(wrapped(f"Other algorithms of {one.function}: {names}.", "", "  "))
    if not subjects:
        print_lines(["No function of MPI in this run surely violates a guideline: there is nothing to try."])


def _study(subjects: Sequence[Subject], budget: str) -> Study:
    from weir.core.client import Core, find_core
    from weir.network.rows import BENCHMARK
    from weir.network.tune.trial import trial_study
    from weir.units import parse_seconds

    benchmark = Core(find_core()).schema().benchmark(BENCHMARK)
    if benchmark is None:
        raise WeirError(
            f"weir-core has no benchmark {BENCHMARK}", "it is older than the run", "build it again"
        )
    return trial_study(subjects, benchmark, "tune", parse_seconds(budget))


def _show_plan(study: Study, *, as_json: bool) -> None:
    from weir.study.load import render_study

    if as_json:
        print_json({"dry_run": {"study": render_study(study)}})
    else:
        print_lines(["", "The study that is run:", "", *render_study(study).splitlines()])


def _measure(study: Study, wanted: Path | None, launcher: str, progress: str, *, trust: bool) -> RunDirectory:
    """Run the trial, and return the run."""
    from weir.cli._progress import open_progress, progress_kind
    from weir.core.client import Core, find_core
    from weir.launch.base import find_launcher
    from weir.measure.plan import make_plan
    from weir.measure.study_run import Settings, run_study
    from weir.store.run_directory import RunDirectory, new_run
    from weir.study.reach import check_allowed

    out = wanted or new_run(study.name, datetime.datetime.now())
    core = Core(find_core())
    if not trust:
        check_allowed(study, core.schema())
    RunDirectory(out).check_own()
    plan = make_plan(study, core, None)
    # A narrow interval of a case is no narrow one of a ratio: none is settled before the time is used up.
    every = frozenset(case.id for case in plan.cases)
    with open_progress(progress_kind(progress)) as watcher:
        settings = Settings(out, command=sys.argv, open_cases=lambda _: every, watcher=watcher)
        run_study(plan, core, find_launcher(launcher), settings)
    if wanted is None:
        print(f"weir: the trial is in '{out}'", file=sys.stderr)
    return RunDirectory(out)


def _conclude(
    run: Path, subjects: Sequence[Subject], tried: RunDirectory | None, *, everything: bool, as_json: bool
) -> ExitCode:
    """Says what won, or that nothing did."""
    from weir.answers.data import screen_data
    from weir.cli._screen import print_screen
    from weir.network.tune.advice import advise
    from weir.network.tune.first_screen import first_screen
    from weir.network.tune.words import advice_data
    from weir.report.gather import gather

    contents = gather(tried) if tried else None
    advice = advise(subjects, contents.rows if contents else [])
    open_ones = [one for one in advice if one.subject.algorithms and not one.trials]
    failures = contents.summary.failures if contents else []
    cases = len(contents.summary.cases) if contents else 0
    screen = first_screen(run.name, advice, failed=len(failures), cases=cases)
    trial = str(tried.path) if tried else None
    if as_json:
        data = [advice_data(one) for one in advice]
        print_json({"run": trial, "advice": data, "first_screen": screen_data(screen)})
    else:
        of_trial = [f"trial: {trial}"] if trial else []
        print_screen(screen, "", *of_trial, more="weir network tune --all")
        if everything:
            _show_advice(advice, [failure.message for failure in failures])
    return ExitCode.INCONCLUSIVE if tried and open_ones else ExitCode.FINE


def _show_advice(advice: Sequence[Advice], failures: Sequence[str]) -> None:
    """All trials with their numbers, how to choose what won, and what could not run."""
    from weir.cli._results import number_lines, wrapped
    from weir.network.tune.words import CONDITIONS, advice_numbers, settings

    print_lines(["", *number_lines([number for one in advice for number in advice_numbers(one)])])
    print_lines(wrapped(CONDITIONS, "", "  "))
    print_lines(f"  {words}" for words in map(settings, advice) if words)
    for message in failures:
        print_lines(wrapped(f"Could not run: {message}", "", "  "))
