"""One launch: what a case asks for, the file that the core reads, and following it line by line: which case
runs, what it gave, how it ended, and which case failed if it did not."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import msgspec

from weir.budget import asked_stall_limit_s
from weir.core.front_options import DIRECTORY_OPTION, FRONT_KEYS
from weir.core.schema import PROTOCOL
from weir.errors import ExitCode
from weir.files.refusals import no_room_told
from weir.files.write import write
from weir.launch.base import LaunchRequest, LaunchSpec
from weir.launch.ending import Ending, ending_of
from weir.launch.process import Exit
from weir.launch.stall import StallLine, judge
from weir.store.lines import decode
from weir.store.records import (
    AnyRecord,
    BeginRecord,
    EndRecord,
    FailureRecord,
    LaunchRecord,
    schema_of,
    to_record,
)
from weir.study.case import Case
from weir.study.patterns import PATTERN_KEYS

KEEP_OPTION = "keep"
_NOT_FOR_THE_CORE = (*PATTERN_KEYS, *FRONT_KEYS)
SHORTEST_SILENCE_LIMIT_S = 300.0
"""Of a launch whose ranks are not watched, as none are before MPI has started them."""
SILENCE_FACTOR = 10.0
"""A launch may be silent for this many times its expected length before it is taken for hung."""
STALL_LIMITS = 2.0
"""Watched ranks give a sign of progress every half stall limit, and tell of none after a whole one."""
SHORTEST_STALL_LIMIT_S = 15.0


def stall_limit_s(expected_s: float) -> float:
    """How long the ranks of a launch of that expected length may make no progress: what the environment says,
    else long enough for one of their steps to take far longer than was expected of all. Raises WeirError."""
    by_length_s = max(SHORTEST_STALL_LIMIT_S, SILENCE_FACTOR / STALL_LIMITS * expected_s)
    return asked_stall_limit_s() or by_length_s


def spec_of(case: Case) -> LaunchSpec:
    """What the case's launch asks for."""
    threads = {"OMP_NUM_THREADS": str(case.threads)} if "threads" in case.placement else {}
    return LaunchSpec(
        ranks=case.ranks,
        nodes=case.placement.get("nodes"),
        ranks_per_node=case.placement.get("ranks_per_node"),
        threads=case.threads,
        binding=case.placement.get("binding"),
        host=case.node,
        env=tuple(sorted((threads | case.env).items())),
        mpi_io=case.mpi_io,
    )


def case_entry(
    case: Case,
    directory: str | None,
    *,
    keep: bool = False,
    without: Callable[[str], Mapping[str, Any]] = lambda _: {},
) -> dict[str, Any]:
    """The case as the core reads it, working in that directory if it works in any: its benchmark, or the
    pattern in its place. `without`: values of options that need not be said, by the benchmark's name."""
    benchmark, given = ("storage", case.replay.options) if case.replay else (case.benchmark, case.options)
    known = without(benchmark)
    options = {
        name: value
        for name, value in given.items()
        if value is not None
        and name not in _NOT_FOR_THE_CORE
        and not (name in known and known[name] == value)
    }
    if case.uses_directory:
        options[DIRECTORY_OPTION] = directory
    if KEEP_OPTION in case.options:
        options[KEEP_OPTION] = keep and case.node is None
    return {"id": case.id, "benchmark": benchmark, "options": options}


def case_file(  # noqa: PLR0913
    entries: Sequence[dict[str, Any]],
    spec: LaunchSpec,
    binding: str | None,
    warm_memory_bytes: int | None,
    stall_limit_s: float,
    *,
    probe_state: bool = True,
    fresh: bool = False,
) -> dict[str, Any]:
    """The whole file for one launch, with what the core is to check about it and the memory it is to touch
    before.

    None for the memory leaves it to the core, which then touches as much as the largest of these cases
    will cache.
    """
    expect = {
        "ranks": spec.ranks,
        "nodes": spec.nodes,
        "ranks_per_node": spec.ranks_per_node,
        "binding": binding if spec.threads == 1 else None,  # a rank of several threads has several cores
    }
    warm = {} if warm_memory_bytes is None else {"warm_memory_bytes": warm_memory_bytes}
    return {
        "schema": PROTOCOL,
        "expect": {key: value for key, value in expect.items() if value is not None},
        **warm,
        "stall_limit_s": stall_limit_s,
        "probe_state": probe_state,
        "fresh": fresh,
        "cases": list(entries),
    }


def launch_request(
    path: Path,
    content: dict[str, Any],
    spec: LaunchSpec,
    program: Path,
    silence_limit_s: Callable[[], float],
) -> LaunchRequest:
    """Write the file for a launch, and say what to start. Raises WeirError where it cannot be written."""
    with no_room_told(path, ExitCode.CASE_FAILED):
        write(path, msgspec.json.format(msgspec.json.encode(content), indent=1))
    return LaunchRequest(
        spec=spec,
        program=(str(program), str(path)),
        stderr_path=path.with_suffix(".stderr"),
        silence_limit_s=silence_limit_s,
    )


class Clock(Protocol):
    """The time in seconds; only differences mean anything."""

    def now(self) -> float:
        """The time now."""
        ...


class SystemClock:
    """The machine's monotonic clock."""

    def now(self) -> float:
        """The time now."""
        return time.monotonic()


_EXCERPT = 200
_MOST_KEPT = 50


@dataclass
class LaunchWatch:
    """State of one launch. Feed it with `take`, and once the process has ended, with `conclude`."""

    case_ids: Sequence[str]
    clock: Clock
    expected_s: float = 0.0
    started_s: float = field(init=False)
    durations_s: dict[str, list[float]] = field(default_factory=dict)
    """Times of each case that came to its end, one a pass."""
    failures: list[FailureRecord] = field(default_factory=list)
    death: FailureRecord | None = None
    """What the launch died of, once that is known; it has no place among the failures unless it happens
    again."""
    ended: bool = False
    _stall_limit_s: float | None = None
    """None where the core does not watch its ranks."""
    _ranks_of_host: dict[str, list[int]] = field(default_factory=dict)
    _current: str | None = None
    _begun_s: float = 0.0
    _begun: set[str] = field(default_factory=set)
    _garbage: int = 0
    _garbage_lines: list[str] = field(default_factory=list)
    """The first of them: launchers report how ranks ended on either stream."""
    _garbage_case: str | None = None
    _garbage_note: FailureRecord | None = None

    def __post_init__(self) -> None:
        self.started_s = self.clock.now()

    def silence_limit_s(self) -> float:
        """How long it may give no sign before it is ended, as far as is known by now."""
        if self._stall_limit_s is not None and not self.ended:
            return STALL_LIMITS * self._stall_limit_s
        return max(SHORTEST_SILENCE_LIMIT_S, SILENCE_FACTOR * self.expected_s)

    def take(self, line: bytes) -> tuple[dict[str, Any], AnyRecord | None] | None:
        """Follow one line of the core. Returns it decoded and as a record; None if it is not of the
        protocol."""
        decoded = decode(line) or {}
        kind = decoded.get("kind")
        try:
            if not isinstance(kind, str) or decoded.get("schema") != schema_of(kind):
                raise msgspec.ValidationError
            record = to_record(decoded)
            case = getattr(record, "case", None)
            if case is not None and case not in self.case_ids:
                raise msgspec.ValidationError
        except msgspec.ValidationError:
            self._note_garbage(line)
            return None
        self._follow(record)
        return decoded, record

    def conclude(self, how: Exit, talk: Sequence[str], memory: str = "") -> list[FailureRecord]:
        """Failures that the core could not report itself: garbage, cases left out. `talk` is what was said
        last on standard error, `memory` what the kernel reports of a lack of it. A launch that did not come
        to its own end is no failure yet, but a `death`."""
        ended_early = not self.ended and not any(f.case in (None, self._current) for f in self.failures)
        if ended_early:
            stalled = how.silent_for_s is not None and self._stall_limit_s is not None
            ending = ending_of(how, [*self._garbage_lines, *talk])
            self.death = self._stall(how.stalls) if stalled else self._death(ending, memory)
        found = [] if ended_early else list(self._conclusions(how))
        self.failures.extend(found)
        return found

    def died(self) -> list[str]:
        """The cases to which the death is attributed: the one that ran, else all that had not ended."""
        if self._current is not None:
            return [self._current]
        failed = {failure.case for failure in self.failures}
        return [c for c in dict.fromkeys(self.case_ids) if c not in self.durations_s and c not in failed]

    def failed_cases(self) -> dict[str, FailureRecord]:
        """The cases that failed in this launch. A failure of the launch as a whole is one of all that did not
        finish."""
        own = [failure for failure in self.failures if failure is not self._garbage_note]
        failed = {failure.case: failure for failure in own if failure.case is not None}
        for failure in own:
            if failure.case is None:
                affected = [c for c in self.case_ids if c not in self.durations_s and c not in failed]
                failed |= dict.fromkeys(affected, failure)
        return failed

    def _follow(self, record: AnyRecord | None) -> None:
        match record:
            case LaunchRecord():
                self._stall_limit_s = record.stall_limit_s
                for place in record.placement:
                    if place.host is not None and place.rank is not None:
                        self._ranks_of_host.setdefault(place.host, []).append(place.rank)
            case BeginRecord():
                self._finish_current()
                self._current, self._begun_s = record.case, self.clock.now()
                self._begun.add(record.case)
            case FailureRecord(exit_code=ExitCode.INTERRUPTED):
                pass  # Somebody else stopped its ranks: the launch dies of it.
            case FailureRecord():
                self.failures.append(record)
            case EndRecord(exit_code=ExitCode.INTERRUPTED):
                pass
            case EndRecord():
                self._finish_current()
                self.ended = True

    def _finish_current(self) -> None:
        if self._current is not None:
            self.durations_s.setdefault(self._current, []).append(self.clock.now() - self._begun_s)
        self._current = None

    def _conclusions(self, how: Exit) -> Iterable[FailureRecord]:
        if self._garbage:
            self._garbage_note = FailureRecord(
                case=self._garbage_case,
                exit_code=int(ExitCode.INTERNAL),
                problem=f"weir-core printed {self._garbage} line(s) that are not of the protocol",
                reason=f"the first: {self._garbage_lines[0]}",
                suggestion="keep the run's logs and report it",
            )
            yield self._garbage_note
        if self.ended and not self.failures and set(self.case_ids) - self._begun:
            yield FailureRecord(
                exit_code=int(ExitCode.CASE_FAILED),
                problem="weir-core ended without having run all cases",
                reason=str(how),
                suggestion="keep the run's logs and report it",
            )

    def _death(self, ending: Ending, memory: str) -> FailureRecord:
        if self._current is None and ending.absent is not None:
            return FailureRecord(
                exit_code=int(ExitCode.CASE_FAILED),
                problem=ending.absent.problem,
                reason=ending.absent.reason,
                suggestion=ending.absent.advice,
                host=ending.absent.node,
            )
        if self._current is None:
            problem, advice = "the launch did not start", "run the command in the launch's log by hand"
        else:
            problem = "the launch ended while this case ran"
            advice = "look for a lack of memory or a time limit; run again to try this case once more"
        if memory:
            advice = "give it more memory, or choose fewer ranks or smaller requests"
        return FailureRecord(
            case=self._current,
            exit_code=int(ExitCode.CASE_FAILED),
            problem=problem,
            reason="; ".join(part for part in (memory, str(ending)) if part),
            suggestion=advice,
            rank=ending.rank,
            signal=ending.signal,
        )

    def _stall(self, told: Sequence[StallLine]) -> FailureRecord:
        """The failure of a launch that was ended since its ranks made no progress."""
        stall = judge(told, self._ranks_of_host)
        when = "outside any case" if self._current is None else "while this case ran"
        return FailureRecord(
            case=self._current,
            exit_code=int(ExitCode.CASE_FAILED),
            problem=f"the launch stalled {when}",
            reason=f"{stall.reason}; no rank made progress for {self._stall_limit_s:.3g} s",
            suggestion=stall.suggestion,
            rank=stall.rank,
            host=stall.host,
        )

    def _note_garbage(self, line: bytes) -> None:
        if not line.strip():
            return
        if not self._garbage:
            self._garbage_case = self._current
        if self._garbage < _MOST_KEPT:
            self._garbage_lines.append(line[:_EXCERPT].decode(errors="replace"))
        self._garbage += 1
