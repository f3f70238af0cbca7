"""The loop around the scheduler: launches, keeps every line, settles the cases. Everything it touches is
handed in."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from weir.analyse.metric import value_of
from weir.drive.case_state import CaseState, Verdict, describe_width, judge
from weir.drive.clock import Clock
from weir.drive.events import (
    CaseFailed,
    CaseSettled,
    Event,
    LaunchEnded,
    LaunchStarted,
    LaunchWarned,
    Note,
    SampleTaken,
    Status,
    Watcher,
)
from weir.drive.launch_spec import case_entry, case_file
from weir.drive.launch_watch import LaunchWatch
from weir.drive.scheduler import PlannedLaunch, Scheduler
from weir.drive.scratch import Scratch
from weir.exit_codes import ExitCode
from weir.files.plain import read_plain
from weir.files.write import write
from weir.launch.base import Launcher, LaunchRequest
from weir.store.lines import LineWriter
from weir.store.records import FailureRecord, FinishedRecord, LaunchRecord, SampleRecord
from weir.store.run_directory import SCHEMA

SHORTEST_SILENCE_LIMIT_S = 300.0
SILENCE_FACTOR = 10.0
"""A launch may be silent for this many times its expected length before it is taken for hung."""


@dataclass
class Driver:
    """Runs the scheduler's launches until it has no more."""

    scheduler: Scheduler
    launcher: Launcher
    program: Path
    scratch: Scratch
    logs: Path
    writer: LineWriter
    clock: Clock
    watcher: Watcher
    budget_s: float
    warm_memory_bytes: int | None = None
    """Memory that the first launch touches before it measures, enough for every case; None if that is not
    known."""
    next_number: int = 1
    failures: list[FailureRecord] = field(default_factory=list)

    def run(self) -> None:
        """Measure until every case is settled or the budget is used up."""
        self._started_s = self.clock.now()
        self._states = {state.case.id: state for state in self.scheduler.states}
        self._warned: set[str] = set()
        self._is_warm = False
        self._settle_judged(self.scheduler.states)
        while planned := self.scheduler.next_launch(self._remaining_s()):
            self._launch(planned)
            self._settle_judged(planned.states)
        self._settle_rest()
        self.writer.sync()

    def _launch(self, planned: PlannedLaunch) -> None:
        number, self.next_number = self.next_number, self.next_number + 1
        watch = LaunchWatch([state.case.id for state in planned.states], self.clock)
        request = self._request(number, planned)
        self._tell(LaunchStarted(number, planned))
        self.scratch.prepare(state.case for state in planned.states)
        how = self.launcher.run(request, lambda line: self._take(line, watch, number, planned.round))
        took_s = self.clock.now() - watch.started_s
        for failure in watch.conclude(how, last_words(request.stderr_path)):
            self._append({**msgspec.to_builtins(failure), "round": planned.round, "launch": number})
            if failure.exit_code == ExitCode.INTERNAL:
                self._tell(Note(failure.message))
        self.failures.extend(watch.failures)
        self._learn(watch, took_s)
        for case, failure in watch.failed_cases().items():
            self._fail(self._states[case], failure)
        self._is_warm = self._is_warm or watch.ended
        if not watch.ended:
            self.scratch.empty()
        self.writer.sync()
        self._tell(LaunchEnded(number, planned, took_s))

    def _request(self, number: int, planned: PlannedLaunch) -> LaunchRequest:
        binding = self.launcher.binding(planned.spec)
        entries = [
            case_entry(state.case, self.scratch.directory_of(state.case), keep=self.scratch.keep)
            for state in planned.order()
        ]
        path = self.logs / f"launch-{number:04}.json"
        content = case_file(entries, planned.spec, binding, self._to_warm())
        write(path, msgspec.json.format(msgspec.json.encode(content), indent=1))
        return LaunchRequest(
            spec=planned.spec,
            program=(str(self.program), str(path)),
            stderr_path=path.with_suffix(".stderr"),
            silence_limit_s=max(SHORTEST_SILENCE_LIMIT_S, SILENCE_FACTOR * planned.expected_s),
        )

    def _to_warm(self) -> int | None:
        """All at once in the first launch: memory that the host has backed stays backed for the others."""
        return 0 if self._is_warm and self.warm_memory_bytes is not None else self.warm_memory_bytes

    def _take(self, line: bytes, watch: LaunchWatch, number: int, round_number: int) -> None:
        taken = watch.take(line)
        if taken is None:
            return
        decoded, record = taken
        self._append({**decoded, "round": round_number, "launch": number})
        match record:
            case SampleRecord():
                state = self._states[record.case]
                value = value_of(record)
                if value is not None:
                    state.values.setdefault(record.phase, []).append(value)
                self._tell(SampleTaken(state, record))
            case LaunchRecord():
                self._pass_on_warnings(record)

    def _pass_on_warnings(self, record: LaunchRecord) -> None:
        """Each kind once: every launch repeats what is wrong with the machine."""
        for warning in record.warnings:
            if warning.code not in self._warned:
                self._warned.add(warning.code)
                self._tell(LaunchWarned(warning))

    def _learn(self, watch: LaunchWatch, took_s: float) -> None:
        for case, durations_s in watch.durations_s.items():
            self._states[case].durations_s.extend(durations_s)
        if watch.ended and self._is_warm:
            self.scheduler.launch_took(took_s - sum(map(sum, watch.durations_s.values())))

    def _fail(self, state: CaseState, failure: FailureRecord) -> None:
        self._tell(CaseFailed(state, failure))
        self._settle(state, Verdict.FAILED, failure.message)

    def _settle_judged(self, states: Iterable[CaseState]) -> None:
        for state in states:
            if state.verdict is None and state.durations_s and state.samples == 0:
                self._fail_as_silent(state)
                continue
            judged = judge(state, self.scheduler.goals)
            if judged is not None:
                self._settle(state, *judged)

    def _fail_as_silent(self, state: CaseState) -> None:
        failure = FailureRecord(
            case=state.case.id,
            benchmark=state.case.benchmark,
            exit_code=int(ExitCode.CASE_FAILED),
            problem="the case ran to its end and gave no sample",
            reason="none of its phases is timed",
            suggestion="switch on a phase, such as write or read",
        )
        self._append(msgspec.to_builtins(failure))
        self.failures.append(failure)
        self._fail(state, failure)

    def _settle_rest(self) -> None:
        for state in self.scheduler.states:
            if state.verdict is None:
                why = f"the budget is used up: {describe_width(state)} after {state.samples} samples"
                self._settle(state, Verdict.INCONCLUSIVE, why)

    def _settle(self, state: CaseState, verdict: Verdict, why: str) -> None:
        if state.verdict is not None:
            return
        state.settle(verdict, why)
        finished = FinishedRecord(case=state.case.id, verdict=str(verdict), samples=state.samples, why=why)
        line = msgspec.to_builtins(finished)
        self._append({key: value for key, value in line.items() if key not in ("round", "launch")})
        self._tell(CaseSettled(state))

    def _append(self, line: dict[str, Any]) -> None:
        self.writer.append({"schema": SCHEMA, **line})

    def _tell(self, event: Event) -> None:
        self.watcher.tell(event, self._status())

    def _status(self) -> Status:
        states = self.scheduler.states
        return Status(
            cases=len(states),
            settled=sum(state.verdict is not None for state in states),
            failed=sum(state.verdict is Verdict.FAILED for state in states),
            samples=sum(len(values) for state in states for values in state.values.values()),
            elapsed_s=self.clock.now() - self._started_s,
            budget_s=self.budget_s,
        )

    def _remaining_s(self) -> float:
        return self.budget_s - (self.clock.now() - self._started_s)


def last_words(path: Path, longest: int = 300) -> str:
    """The last line that a program said to standard error, cut to a readable length; empty if it said
    nothing."""
    try:
        lines = read_plain(path)[-4096:].decode(errors="replace").split("\n")
    except OSError:
        return ""
    said = [line.strip() for line in lines if any(character.isalnum() for character in line)]
    return said[-1][:longest] if said else ""
