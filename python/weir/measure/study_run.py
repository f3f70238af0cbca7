"""Carries out a study from its plan to its exit code: the edge where files, processes and signals are."""

import datetime
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import weir
from weir.budget import asked_stall_limit_s
from weir.core.client import Core
from weir.core.vocabulary import kept_of_core
from weir.errors import ExitCode, WeirError, worst
from weir.files.scratch_marker import draw_mark
from weir.files.walk import real_path
from weir.launch.base import Launcher
from weir.launch.process import signals_interrupt
from weir.machine.card import System, machine_card
from weir.machine.moved import moved_words
from weir.measure.driver import Driver
from weir.measure.events import NobodyWatches, Note, Status, Watcher
from weir.measure.launch_watch import Clock, SystemClock
from weir.measure.plan import (
    Plan,
    check_needs,
    interval_words,
    needs_of,
    outlook_words,
    speed_words,
    uncut_words,
    uses_storage,
    without_what_is_too_large,
    without_what_the_mpi_lacks,
)
from weir.measure.planned_stripes import without_what_cannot_be_striped
from weir.measure.run_history import RunHistory, read_history
from weir.measure.scheduling import scheduler_of
from weir.measure.scratch_directory import Scratch, check_directory, scratch_name
from weir.measure.stopping_rule import CaseState, Verdict
from weir.measure.stripe_settings import Striper
from weir.store.lines import LineWriter, damaged_words
from weir.store.lock import Lock
from weir.store.records import OTHER_SCHEMA, FailureRecord
from weir.store.run_directory import (
    SCHEMA,
    RunDirectory,
    RunInfo,
    StudyWords,
    check_not_removed,
    removal_told,
)
from weir.study.case import left_out_words
from weir.study.load import render_study


@dataclass(frozen=True)
class Settings:
    """How to carry out a plan."""

    out: Path
    budget_s: float | None = None
    """Instead of the study's."""
    keep: bool = False
    command: Sequence[str] = ()
    """The command line, for the record."""
    open_cases: Callable[[RunDirectory], Collection[str]] = lambda run: frozenset()
    """The cases that would decide what is still open, by what the run holds."""
    striper: Striper = field(default_factory=Striper)
    watcher: Watcher = field(default_factory=NobodyWatches)
    clock: Clock = field(default_factory=SystemClock)


@dataclass(frozen=True)
class Outcome:
    """How a study came out."""

    run: RunDirectory
    states: list[CaseState]
    failures: list[FailureRecord]
    """Those of this time, not of earlier ones."""
    measured: int
    """Cases that were not settled before."""

    @property
    def exit_code(self) -> ExitCode:
        """The greatest of the failures' codes; 5 if no case at all came out precise; else 0."""
        codes = [failure.exit_code for failure in self.failures]
        ran = any(state.samples for state in self.states)
        failed = [max(code, ExitCode.CASE_FAILED) if ran else code for code in codes]
        if failed:
            return ExitCode(worst([int(code) for code in failed]))
        if any(state.verdict is Verdict.FAILED for state in self.states):
            return ExitCode.CASE_FAILED
        if all(state.verdict is Verdict.INCONCLUSIVE for state in self.states):
            return ExitCode.INCONCLUSIVE
        return ExitCode.FINE


def check_before(plan: Plan, launcher: Launcher, *, keep: bool, striper: Striper | None = None) -> Plan:
    """The plan without the cases that the MPI or the storage of this machine cannot do; changes nothing.

    Raises WeirError (exit code 2) for everything else that can be known to be missing.
    """
    launcher.prepare()
    plan = without_what_is_too_large(without_what_the_mpi_lacks(plan, launcher), keep=keep)
    for path in plan.directories().values():
        check_directory(path)
    plan = without_what_cannot_be_striped(plan, striper or Striper())
    for name, path in plan.directories().items():
        check_needs(plan.needs(name, keep=keep), path)
    without_files = [case for case in plan.cases if case.node is None and not case.uses_directory]
    check_needs(needs_of(without_files, plan.descriptions, plan.directory, keep=keep), plan.directory)
    return plan


def run_study(plan: Plan, core: Core, launcher: Launcher, settings: Settings) -> Outcome:
    """Measure what the run does not hold yet. Raises WeirError if nothing can run, Interrupted if a signal
    came."""
    plan = check_before(plan, launcher, keep=settings.keep, striper=settings.striper)
    run = RunDirectory(settings.out)
    asked_stall_limit_s()  # refused before anything is made, where it is no time
    run.prepare()
    with signals_interrupt(), Lock(run.lock_path) as lock:
        info = _open(run, plan, core, settings)
        with removal_told(run.path):
            outcome = _measure(plan, core, launcher, settings, run=run, info=info, lock=lock)
        check_not_removed(run.path)  # what was appended to a removed file is lost without an error
    return outcome


def _measure(  # noqa: PLR0913
    plan: Plan,
    core: Core,
    launcher: Launcher,
    settings: Settings,
    *,
    run: RunDirectory,
    info: RunInfo,
    lock: Lock,
) -> Outcome:
    """What is not settled yet, into a run that is open."""
    reading = run.read()
    if reading.damaged_lines:
        _note(settings, damaged_words(reading.damaged_lines))
    past = read_history(plan.cases, reading.records, plan.study.file.study.min_samples)
    for line in left_out_words(plan.left_out):
        _note(settings, line)
    open_before = sum(state.verdict is None for state in past.states)
    if open_before == 0:
        return Outcome(run, past.states, [], 0)
    paths = dict(zip(plan.directories(), map(Path, info.scratch), strict=True))
    with run.writer() as writer, _scratch(plan, paths, settings, info) as scratch:
        for stale in scratch.stale:
            _note(settings, f"removed '{stale}', left behind by a run that was killed")
        _write_cases(writer, plan, past)
        budget_s = plan.budget_s(settings.budget_s)
        scheduler = scheduler_of(
            plan,
            past.states,
            first_round=past.last_round + 1,
            open_cases=lambda: settings.open_cases(run),
        )
        goals = scheduler.goals
        is_first = not any(state.samples for state in past.states)
        outlook = uncut_words(plan, budget_s) if is_first else []
        outlook += interval_words(goals.max_samples)
        if uses_storage(plan):  # how long others take is known after the first launch
            outlook += outlook_words(scheduler.outlook(budget_s), goals.min_samples, speed_words(plan))
        for line in outlook:
            _note(settings, line)
        driver = Driver(
            scheduler=scheduler,
            launcher=launcher,
            program=core.program,
            scratch=scratch,
            logs=run.logs_path,
            writer=writer,
            clock=settings.clock,
            watcher=settings.watcher,
            budget_s=budget_s,
            warm_memory_bytes=_cached_bytes(plan, past),
            # Nodes differ in what the probe sees, which would look like states of one machine.
            probe_state=plan.study.file.study.probe_state and not plan.study.nodes,
            next_number=run.next_launch_number(),
            log=past.log,
            still_ours=lock.check,
        )
        driver.run()
    return Outcome(run, past.states, driver.failures, open_before)


def _scratch(plan: Plan, paths: dict[str | None, Path], settings: Settings, info: RunInfo) -> Scratch:
    return Scratch(paths, keep=settings.keep, mark=info.mark, beside=plan.directory, striper=settings.striper)


def _cached_bytes(plan: Plan, past: RunHistory) -> int | None:
    """The most that any case still to be run can put into the page cache; None if that is not known of
    one, or depends on the speed of this machine's memory, which the core measures."""
    open_cases = [state.case for state in past.states if state.verdict is None]
    found = [plan.descriptions[case.id].totals for case in open_cases]
    known = [t.cached_bytes for t in found if t.cached_bytes is not None and t.time_bound_s is None]
    return max(known) if len(known) == len(found) else None


def _open(run: RunDirectory, plan: Plan, core: Core, settings: Settings) -> RunInfo:
    """Create the run, or go on with it. Raises WeirError if it is one of another study or storage."""
    if not run.exists():
        info = _describe_run(run, plan, core, settings)
        run.create(info, render_study(plan.study))
        return info
    info = run.info()
    _check_same(run, info, plan)
    moved = moved_words(info.machine, System(plan.directory))
    if moved is not None:
        _note(settings, moved)
    damage = run.repair()
    if damage is not None:
        _note(settings, f"'{run.samples_path}': {damage}")
    run.write_study(render_study(plan.study))
    return info


def _check_same(run: RunDirectory, info: RunInfo, plan: Plan) -> None:
    for what, before, now in (
        ("of the study", info.study.name, plan.study.name),
        ("made in", info.directory, str(plan.directory)),
        ("made in", *_parents(info.scratch, plan)),
    ):
        if before != now:
            raise WeirError(
                f"run '{run.path}' was {what} '{before}', not '{now}'",
                "a run holds one study on one storage",
                "choose another --out, or go on with what it was",
            )


def _parents(scratch: Sequence[str], plan: Plan) -> tuple[str, str]:
    """Where the run's scratch directories are, and where the plan would have them, links resolved."""
    before = [Path(path).parent for path in scratch]
    now = [real_path(path) for path in plan.directories().values()]
    if [path.resolve() for path in before] == now:
        return "", ""
    return ", ".join(map(str, before)), ", ".join(map(str, now))


def _describe_run(run: RunDirectory, plan: Plan, core: Core, settings: Settings) -> RunInfo:
    return RunInfo(
        schema=SCHEMA,
        weir_version=weir.__version__,
        created_at=datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds"),
        command=list(settings.command),
        study=StudyWords(name=plan.study.name, title=plan.study.file.study.title),
        directory=str(plan.directory),
        scratch=[str(real_path(path) / scratch_name(run.name)) for path in plan.directories().values()],
        mark=draw_mark(),
        stripes=[dict(one) for one in plan.stripes],
        machine=machine_card(plan.directory),
        core=kept_of_core(core.raw_schema()),
    )


def _write_cases(writer: LineWriter, plan: Plan, past: RunHistory) -> None:
    for item in plan.left_out:
        if item.as_data() not in past.left_out:
            writer.append({"schema": OTHER_SCHEMA, "kind": "left_out", **item.as_data()})
    for case in plan.cases:
        known = past.recorded.get(case.id)
        if known is None or known.comparisons != list(case.comparisons):
            pattern = plan.descriptions[case.id].pattern
            why = {"inexact": list(pattern.inexact)} if pattern and pattern.inexact else {}
            writer.append({"schema": OTHER_SCHEMA, "kind": "case", **case.as_data(), **why})


def _note(settings: Settings, text: str) -> None:
    settings.watcher.tell(Note(text), Status(0, 0, 0, 0, 0.0, 0.0))
