"""The loop around the scheduler: launches, keeps every line, settles the cases. Everything it touches is
handed in."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from weir.analyse.metric import steering_value
from weir.errors import ExitCode
from weir.launch.base import Launcher, LaunchRequest
from weir.launch.ending import MemoryKills, memory_kills, stderr_tail
from weir.measure.events import (
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
from weir.measure.launch_watch import Clock, LaunchWatch, case_entry, case_file, launch_request, stall_limit_s
from weir.measure.parted_scheduler import PartedScheduler
from weir.measure.sample_log import SampleLog
from weir.measure.scheduler import PlannedLaunch, Scheduler
from weir.measure.scratch_directory import Scratch
from weir.measure.stopping_rule import CaseState, Verdict, describe_width, judge
from weir.store.lines import LineWriter
from weir.store.records import (
    DiedRecord,
    FailureRecord,
    FinishedRecord,
    LaunchRecord,
    SampleRecord,
    schema_of,
)
from weir.units import count_words, format_seconds

OVER = 0.1
"""Share of the budget by which a run may exceed it without a word."""
RETRIES = 1
"""How often cases are tried again whose launch died."""


@dataclass
class Driver:
    """Runs the scheduler's launches until it has no more."""

    scheduler: Scheduler | PartedScheduler
    launcher: Launcher
    program: Path
    scratch: Scratch
    logs: Path
    writer: LineWriter
    clock: Clock
    watcher: Watcher
    budget_s: float
    memory_kills: Callable[[], MemoryKills] = memory_kills
    warm_memory_bytes: int | None = None
    """Memory that the first launch touches before it measures, enough for every case; None leaves it to the
    core, which touches what the cases of a launch can fill."""
    probe_state: bool = True
    """Whether the core looks for the state of the machine around each case."""
    still_ours: Callable[[], None] = lambda: None
    """Raises WeirError where another process has taken the run over."""
    next_number: int = 1
    log: SampleLog = field(default_factory=SampleLog)
    """What the run holds already."""
    failures: list[FailureRecord] = field(default_factory=list)

    def run(self) -> None:
        """Measure until every case is settled or the budget is used up."""
        self._started_s = self.clock.now()
        self._states = {state.case.id: state for state in self.scheduler.states}
        self._warned: set[str] = set()
        self._is_warm = False
        self._settle_judged(self.scheduler.states)
        while planned := self.scheduler.next_launch(self._remaining_s()):
            self.still_ours()
            self._launch(planned)
            self._settle_judged(planned.states)
            self._tell_if_over(planned)
        self._settle_rest()
        self.writer.sync()

    def _launch(self, planned: PlannedLaunch) -> None:
        self._launched_s = self.clock.now()
        number, self.next_number = self.next_number, self.next_number + 1
        watch = LaunchWatch([state.case.id for state in planned.states], self.clock, planned.expected_s)
        request = self._request(number, planned, watch)
        self._tell(LaunchStarted(number, planned))
        self.scratch.prepare(state.case for state in planned.states)
        kills = self.memory_kills()
        how = self.launcher.run(request, lambda line: self._take(line, watch, number, planned.round))
        took_s = self.clock.now() - watch.started_s
        found = watch.conclude(how, stderr_tail(request.stderr_path), self.memory_kills().since(kills))
        if watch.death and planned.spec.host:
            watch.death = msgspec.structs.replace(watch.death, host=watch.death.host or planned.spec.host)
        self._learn(watch, took_s)
        found += self._after_death(watch, planned, number)
        for failure in found:
            self._append({**msgspec.to_builtins(failure), "round": planned.round, "launch": number})
            if failure.exit_code == ExitCode.INTERNAL:
                self._tell(Note(failure.message))
        self.failures.extend(watch.failures)
        for case, failure in watch.failed_cases().items():
            self._fail(self._states[case], failure)
        self._is_warm = self._is_warm or watch.ended
        if not watch.ended:
            self.scratch.empty()
        self._sort_by_state()
        self.writer.sync()
        self._tell(LaunchEnded(number, planned, took_s))

    def _tell_if_over(self, planned: PlannedLaunch) -> None:
        """A launch that has begun goes on to its end, however long that is."""
        over_s, took_s = -self._remaining_s(), self.clock.now() - self._launched_s
        if over_s <= OVER * self.budget_s:
            return
        cases = count_words(len(planned.states), "case")
        self._tell(
            Note(
                f"the run took {format_seconds(self.budget_s + over_s)} of a budget of "
                f"{format_seconds(self.budget_s)}: its last launch, of {cases}, took "
                f"{format_seconds(took_s)}, and a launch that has begun is not cut. For shorter ones give "
                "the cases less work, such as a smaller memory or size, in a copy of the study."
            )
        )

    def _after_death(self, watch: LaunchWatch, planned: PlannedLaunch, number: int) -> list[FailureRecord]:
        """A launch that died is tried again, once, with the cases to which that is attributed; what died
        twice has failed."""
        if watch.death is None:
            return []
        died = [self._states[case] for case in watch.died()]
        for state in died:
            state.deaths.append(watch.death.reason or "")
        again = [state for state in died if len(state.deaths) <= RETRIES]
        over = [state for state in died if len(state.deaths) > RETRIES]
        if again:
            self._try_again(watch.death, again, planned, number)
        if not over:
            return []
        whole = watch.death.case is None and not again and planned.spec.host is None
        failures = [
            msgspec.structs.replace(
                watch.death,
                case=None if whole else state.case.id,
                problem=f"{watch.death.problem}, {len(state.deaths)} times in a row",
                reason=f"{state.deaths[-1]}; the time before: {state.deaths[-2]}"
                if state.deaths[-1] != state.deaths[-2]
                else state.deaths[-1],
            )
            for state in (over[:1] if whole else over)
        ]
        watch.failures.extend(failures)
        return failures

    def _try_again(
        self, death: FailureRecord, again: list[CaseState], planned: PlannedLaunch, number: int
    ) -> None:
        died = DiedRecord(
            cases=[state.case.id for state in again],
            reason=death.reason or "",
            rank=death.rank,
            host=death.host,
            signal=death.signal,
            round=planned.round,
            launch=number,
        )
        self._append(msgspec.to_builtins(died))
        which = "its case" if len(again) == 1 else f"its {len(again)} cases"
        self._tell(
            Note(f"launch {number} died: {death.problem} ({death.reason}); {which} will be tried again, once")
        )
        self.scheduler.try_again(again, planned)

    def _request(self, number: int, planned: PlannedLaunch, watch: LaunchWatch) -> LaunchRequest:
        binding = self.launcher.binding(planned.spec)
        entries = [
            case_entry(state.case, self.scratch.directory_of(state.case), keep=self.scratch.keep)
            for state in planned.order()
        ]
        path = self.logs / f"launch-{number:04}.json"
        limit_s = stall_limit_s(planned.expected_s)
        warm = self._to_warm(planned)
        content = case_file(
            entries,
            planned.spec,
            binding,
            warm,
            limit_s,
            probe_state=self.probe_state,
            fresh=self.scheduler.goals.fresh,
        )
        return launch_request(path, content, planned.spec, self.program, watch.silence_limit_s)

    def _to_warm(self, planned: PlannedLaunch) -> int | None:
        """All at once in the first launch: memory that the host has backed stays backed for the others. Where
        the core is to find out how much, in the first launch of each case."""
        if self.warm_memory_bytes is not None:
            return 0 if self._is_warm else self.warm_memory_bytes
        return 0 if all(state.durations_s for state in planned.states) else None

    def _take(self, line: bytes, watch: LaunchWatch, number: int, round_number: int) -> None:
        taken = watch.take(line)
        if taken is None:
            return
        decoded, record = taken
        if isinstance(record, FailureRecord) and record.exit_code == ExitCode.INTERRUPTED:
            return
        self._append({**decoded, "round": round_number, "launch": number})
        if record is not None:
            record.launch = number
            self.log.note(record)
        match record:
            case SampleRecord():
                state = self._states[record.case]
                value = steering_value(record)
                if value is not None:
                    state.values.setdefault(record.phase, []).append(value)
                self._tell(SampleTaken(state, record))
            case LaunchRecord():
                self._pass_on_warnings(record)

    def _sort_by_state(self) -> None:
        """What another state of the machine gave does not count, as far as is known by now."""
        states = self.scheduler.states
        before = sum(state.set_aside for state in states)
        self.log.sort_into(states)
        if not before and any(state.set_aside for state in states):
            self._tell(
                Note("the machine changed its state; samples that are not of its main state do not count")
            )
        if again := self.log.reopen(states, self.scheduler.goals):
            cases = count_words(again, "settled case goes", "settled cases go")
            self._tell(Note(f"most samples are of another state of the machine now: {cases} on"))

    def _pass_on_warnings(self, record: LaunchRecord) -> None:
        """Each kind once: every launch repeats what is wrong with the machine."""
        for warning in record.warnings:
            if warning.code not in self._warned:
                self._warned.add(warning.code)
                self._tell(LaunchWarned(warning))

    def _learn(self, watch: LaunchWatch, took_s: float) -> None:
        for case, durations_s in watch.durations_s.items():
            self._states[case].durations_s.extend(durations_s)
            self._states[case].deaths.clear()
        if watch.ended and self._is_warm:
            self.scheduler.launch_took(took_s - sum(map(sum, watch.durations_s.values())))

    def _fail(self, state: CaseState, failure: FailureRecord) -> None:
        self._tell(CaseFailed(state, failure))
        self._settle(state, Verdict.FAILED, failure.message)

    def _settle_judged(self, states: Iterable[CaseState]) -> None:
        judged = []
        for state in states:
            if state.verdict is None and state.durations_s and not state.samples and not state.set_aside:
                self._fail_as_silent(state)
            elif (verdict := judge(state, self.scheduler.goals)) is not None:
                judged.append((state, *verdict))
        narrow = any(state.verdict is None and found is Verdict.PRECISE for state, found, _ in judged)
        # Narrow enough for itself, a case may still be wanted for what it is compared with.
        wanted = self.scheduler.open_cases() if narrow else ()
        for state, found, why in judged:
            if found is not Verdict.PRECISE or state.case.id not in wanted:
                self._settle(state, found, why)

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
                why = f"the budget is used up: {describe_width(state)}"
                if not state.samples and not state.set_aside:
                    why = "the budget left no time; the same command for the same run (--out) goes on"
                if state.deaths:
                    why = f"no time was left for another try after the launch died: {state.deaths[-1]}"
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
        self.still_ours()
        self.writer.append({"schema": schema_of(line["kind"]), **line})

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
