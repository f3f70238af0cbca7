"""A machine made of arithmetic: the real driver, a mock launcher, and a clock that only launches move."""

import json
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fakes.launching import ManualClock, MockLauncher
from sample_lines import sample_line
from weir.launch.base import LaunchSpec
from weir.launch.ending import MemoryKills
from weir.launch.process import Exit
from weir.launch.stall import StallLine, Suspect
from weir.measure.driver import Driver
from weir.measure.events import Event, Status
from weir.measure.launch_watch import spec_of
from weir.measure.parted_scheduler import PartedScheduler, parts_of
from weir.measure.questions import Question
from weir.measure.sample_log import SampleLog
from weir.measure.scheduler import Scheduler
from weir.measure.scratch_directory import Scratch
from weir.measure.stopping_rule import CaseState, Goals
from weir.store.lines import LineWriter
from weir.study.case import Case

LAUNCH_S = 1.0


def make_case(name: str, ranks: int = 1) -> Case:
    return Case(id=name, benchmark="storage", ranks=ranks, env={}, options={})


@dataclass
class Machine:
    """How long each case takes, how noisy it is, and its trouble: `fail`, `kill`, `kill once`, `stop`,
    `stall`, `silent` or `garbage`. The first launches end before any case begins as `starts` say, and print
    `talk`."""

    clock: ManualClock = field(default_factory=ManualClock)
    seconds: dict[str, float] = field(default_factory=dict)
    noise: dict[str, float] = field(default_factory=dict)
    trouble: dict[str, str] = field(default_factory=dict)
    refuses_to_start: bool = False
    starts: list[Exit] = field(default_factory=list)
    talk: list[bytes] = field(default_factory=list)
    ranks_are_alone: bool = False
    handoff_ns: Callable[[float], float] | None = None
    """What a probe finds, by the clock; from 100 ns on the machine is five times as slow."""
    source: random.Random = field(default_factory=lambda: random.Random(1))

    def script(self, case_file: dict[str, Any], spec: LaunchSpec) -> Iterator[dict[str, Any] | bytes | Exit]:
        self.clock.advance(LAUNCH_S)
        if self.refuses_to_start:
            yield Exit(1)
            return
        if self.starts:
            yield from self.talk
            yield self.starts.pop(0)
            return
        place = {"rank": 0, "host": "n1"}
        limit_s = case_file["stall_limit_s"]
        yield {
            **{"schema": 1, "kind": "launch", "ranks": spec.ranks},
            **{"placement": [place], "stall_limit_s": limit_s},
        }
        if self.ranks_are_alone:
            yield {"schema": 1, "kind": "failure", "case": None, "exit_code": 2, "problem": "ranks are alone"}
            yield {"schema": 1, "kind": "end", "exit_code": 2}
            return
        yield from self._state()
        for case in case_file["cases"]:
            yield {"schema": 1, "kind": "begin", "case": case["id"]}
            trouble = self.trouble.get(case["id"])
            if trouble in ("kill", "kill once"):
                if trouble == "kill once":
                    del self.trouble[case["id"]]
                yield Exit(137)
                return
            if trouble == "stop":
                said = {"schema": 1, "exit_code": 130}
                yield {**said, "kind": "failure", "case": case["id"], "problem": "interrupted"}
                yield {**said, "kind": "end"}
                yield Exit(130)
                return
            if trouble == "stall":
                stopped = Suspect(rank=0, process=7, state="stopped")
                yield Exit(None, 15, 2 * limit_s, (StallLine("n1", limit_s, 1, [stopped], 1),))
                return
            if trouble == "garbage":
                yield b"a library says hello"
            yield from self._samples(case["id"], trouble)
            yield from self._state()
        yield {"schema": 1, "kind": "end", "exit_code": 0}

    def _state(self) -> Iterator[dict[str, Any]]:
        if self.handoff_ns is not None:
            times = {"max": self.handoff_ns(self.clock.now()), "min": 40.0, "nodes": 1}
            yield {"schema": 1, "kind": "state", "handoff_ns": times, "cpus": [0, 1]}

    def _samples(self, case: str, trouble: str | None) -> Iterator[dict[str, Any]]:
        self.clock.advance(self.seconds.get(case, 0.1))
        if trouble == "fail":
            yield {"schema": 1, "kind": "failure", "case": case, "exit_code": 3, "problem": "no"}
        elif trouble != "silent":
            for phase in ("write", "read"):
                fast = self.handoff_ns(self.clock.now()) < 100 if self.handoff_ns else True
                value = (1e9 if fast else 2e8) * self.source.lognormvariate(0, self.noise.get(case, 0.0))
                yield sample_line(case, phase, bandwidth_bytes_per_s=value)


@dataclass
class Notebook:
    """A watcher that remembers."""

    events: list[Event] = field(default_factory=list)
    last: Status = field(default_factory=Status)

    def tell(self, event: Event, status: Status) -> None:
        self.events.append(event)
        self.last = status


@dataclass
class Study:
    """What a simulated study left behind."""

    states: dict[str, CaseState]
    driver: Driver
    launcher: MockLauncher
    machine: Machine
    notebook: Notebook
    path: Path

    @property
    def lines(self) -> list[dict[str, Any]]:
        """What was written of it."""
        return [json.loads(line) for line in self.path.read_text().splitlines()]

    @property
    def sent(self) -> list[dict[str, Any]]:
        """The case files of its launches."""
        return [json.loads(path.read_text()) for path in sorted(self.path.parent.glob("launch-*.json"))]


def simulate(  # noqa: PLR0913 - the named ones are what tests vary
    folder: Path,
    cases: list[Case],
    machine: Machine,
    *,
    budget_s: float = 1000.0,
    goals: Goals | None = None,
    states: list[CaseState] | None = None,
    log: SampleLog | None = None,
    prior_s: float = 0.1,
    memory_kills: Callable[[], MemoryKills] = MemoryKills,
    questions: Sequence[Question] = (),
    warm_memory_bytes: int | None = None,
    open_cases: Callable[[], Collection[str]] = frozenset,
    shares: Mapping[str, float] | None = None,
) -> Study:
    """Run the cases on the machine until all is settled or the budget is used up. With `shares` of parts, a
    case is of the part whose name is the first letter of its own."""
    folder.mkdir(exist_ok=True)
    states = states or [CaseState(case) for case in cases]
    launcher, notebook = MockLauncher(machine.script), Notebook()
    path = folder / "samples.jsonl"

    def scheduler_of(some: Sequence[CaseState]) -> Scheduler:
        return Scheduler(
            some,
            goals or Goals(),
            spec_of=spec_of,
            prior_s=lambda _: prior_s,
            questions=questions,
            open_cases=open_cases,
        )

    parts = parts_of(states, lambda state: state.case.id[0], shares, scheduler_of) if shares else []
    with LineWriter(path) as writer, Scratch({}, keep=False, mark="") as scratch:
        driver = Driver(
            scheduler=PartedScheduler(parts) if parts else scheduler_of(states),
            launcher=launcher,
            program=Path("weir-core"),
            scratch=scratch,
            logs=folder,
            writer=writer,
            clock=machine.clock,
            watcher=notebook,
            budget_s=budget_s,
            memory_kills=memory_kills,
            warm_memory_bytes=warm_memory_bytes,
            log=log or SampleLog(),
        )
        driver.run()
    return Study({state.case.id: state for state in states}, driver, launcher, machine, notebook, path)
