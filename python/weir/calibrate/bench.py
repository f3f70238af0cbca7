"""Measures for the search: launches ranks that write and read files of one size, and keeps the samples."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from weir.analyse.metric import bandwidth_of
from weir.calibrate.calibration import DIRECTIONS, Sample
from weir.calibrate.limits import Situation
from weir.core.client import Core
from weir.errors import ExitCode, WeirError
from weir.files.write import write
from weir.launch.base import Launcher, LaunchSpec
from weir.launch.ending import stderr_tail
from weir.measure.launch_watch import (
    Clock,
    LaunchWatch,
    SystemClock,
    case_file,
    launch_request,
    stall_limit_s,
)
from weir.pattern import Close, Open, Step, Sync, phase_of
from weir.store.records import FailureRecord, LaunchRecord, SampleRecord, Warning

SETTLE = phase_of(
    "settle", [Step(open=Open(file=0, mode="update")), Step(sync=Sync(file=0)), Step(close=Close(file=0))]
)
"""Between write and read. What an unsynced write leaves behind would be written while the read is timed, and
the read be slower for it the larger the share that is left: a slope that no cache makes."""
FULL = ("No space left on device", "Disk quota exceeded")
LAUNCH_S = 1.0


class CacheMode(msgspec.Struct, frozen=True):
    """How I/O treats the page cache: in words, and as options of the benchmark `storage`."""

    name: str
    words: str
    options: dict[str, Any]
    settles: bool = False
    """Before the read, the files are synced outside the timing."""


_DROP = {"sync": "close", "cache": "drop"}
CACHED = CacheMode("cached", "through the page cache", {"sync": "never", "cache": "keep"}, settles=True)
DROPPED = CacheMode("dropped", 'synced and dropped from the cache (sync = "close", cache = "drop")', _DROP)
DIRECT = CacheMode("direct", "past the cache (direct = true)", {**_DROP, "direct": True})
SHORT_MODES = (DROPPED, DIRECT)
"""Those for which a small file may suffice."""


class About(msgspec.Struct, frozen=True):
    """Files of these sizes are about to be measured."""

    mode: CacheMode = msgspec.field(name="way")
    sizes: Sequence[int]
    expected_s: float | None


Event = About | Sample | Warning | str
Tell = Callable[[Event], None]


class StorageFull(WeirError):
    """There is no room for files of `size` bytes a rank, for want of space or by a quota."""

    def __init__(self, size: int, failure: FailureRecord) -> None:
        super().__init__(failure.problem, failure.reason or "", "free space", ExitCode.CASE_FAILED)
        self.size = size


@dataclass
class Bench:
    """Measures in one folder, and keeps the samples."""

    situation: Situation
    core: Core
    launcher: Launcher
    folder: Path
    logs: Path
    tell: Tell
    empty: Callable[[], None]
    """Removes the files of a launch that died."""
    clock: Clock = field(default_factory=SystemClock)
    written: int = 0
    samples: list[Sample] = field(default_factory=list)
    curves: dict[tuple[str, str], dict[int, list[float]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )
    """Their bandwidths, by mode and direction, then by size."""
    _launches: int = 0
    _is_warm: bool = False
    _pace: tuple[int, float] | None = None
    """A size and its seconds a byte."""
    _warned: set[str] = field(default_factory=set)

    def measure(self, mode: CacheMode, sizes: Sequence[int]) -> None:
        """Write and read files of these sizes in this order. What a launch that died has left is tried again,
        once.

        Raises StorageFull where there is no room, WeirError for any other failure.
        """
        self.tell(About(mode, sizes, self.expected_s(sizes)))
        watch = self._launch(mode, sizes)
        if watch.death:
            died = f"{watch.death.problem} ({watch.death.reason})"
            self.tell(f"the launch died: {died}; its rest is tried again, once")
            self.empty()
            rest = sizes[sum(map(len, watch.durations_s.values())) :]
            again = self._launch(mode, rest).death
            if again:
                problem = f"{again.problem}, 2 times in a row"
                raise _error(msgspec.structs.replace(again, problem=problem), rest)

    def expected_s(self, sizes: Sequence[int]) -> float | None:
        """How long that will take, at the pace of the largest files so far; None before the first."""
        return LAUNCH_S + sum(sizes) * self._pace[1] if self._pace else None

    def _launch(self, mode: CacheMode, sizes: Sequence[int]) -> LaunchWatch:
        """One launch, and how it ended. Raises what a case of it failed of."""
        cases = [self._case(mode, size) for size in sizes]
        expected_s = self.expected_s(sizes) or 0.0
        watch = LaunchWatch([case["id"] for case in cases], self.clock, expected_s)
        self._launches += 1
        ranks = self.situation.ranks
        spec = LaunchSpec(ranks, nodes=1, ranks_per_node=ranks)
        # Memory that the host has backed stays backed.
        warm_bytes = 0 if self._is_warm else self.situation.warm_bytes
        limit_s = stall_limit_s(expected_s)
        content = case_file(cases, spec, self.launcher.binding(spec), warm_bytes, limit_s)
        path = self.logs / f"launch-{self._launches:04}.json"
        request = launch_request(path, content, spec, self.core.program, watch.silence_limit_s)
        self.written += self.situation.ranks * sum(sizes)

        def on_line(line: bytes) -> None:
            match watch.take(line):
                case (_, SampleRecord() as sample) if sample.phase in DIRECTIONS:
                    self._keep(mode, sample)
                case (_, LaunchRecord() as launch):
                    for warning in launch.warnings:
                        if warning.code not in self._warned:
                            self._warned.add(warning.code)
                            self.tell(warning)

        how = self.launcher.run(request, on_line)
        watch.conclude(how, stderr_tail(request.stderr_path))
        self._is_warm = self._is_warm or watch.ended
        for case, took_s in watch.durations_s.items():
            size = _size_of(case)
            if self._pace is None or size >= self._pace[0]:
                self._pace = (size, took_s[-1] / size)
        if watch.failures:
            raise _error(watch.failures[0], sizes)
        return watch

    def _case(self, mode: CacheMode, size: int) -> dict[str, Any]:
        """The case as the core reads it; where files settle before the read, its pattern with that phase."""
        options = {
            **{"backend": "posix", "dir": str(self.folder), "layout": "file-per-process", "segments": 1},
            **{"block": size, "transfer": self.situation.request.transfer, **mode.options},
        }
        name = f"{mode.name}-{size}"
        case = {"id": name, "benchmark": "storage", "options": options}
        if mode.settles:
            answer = self.core.describe([{**case, "ranks": self.situation.ranks}])[name]
            if isinstance(answer, FailureRecord) or answer.pattern is None:
                raise WeirError(f"weir-core does not describe a case of the calibration: {answer}")
            answer.pattern.phases.insert(1, SETTLE)
            path = self.logs / f"{name}-pattern.json"
            write(path, msgspec.json.encode(answer.pattern))
            case["options"] = {"backend": "posix", "dir": str(self.folder), "pattern": str(path)}
        return case

    def _keep(self, mode: CacheMode, record: SampleRecord) -> None:
        bandwidth = bandwidth_of(record)
        if bandwidth:
            suspect = record.cache.suspect if record.cache else None
            from_device = None if suspect is None else not suspect
            size = _size_of(record.case)
            sample = Sample(mode.name, size, record.phase, bandwidth, from_device, record.started_at)
            self.samples.append(sample)
            self.curves[mode.name, record.phase][size].append(bandwidth)
            self.tell(sample)


def _size_of(case: str) -> int:
    return int(case.rpartition("-")[2])


def _error(failure: FailureRecord, sizes: Sequence[int]) -> WeirError:
    if any(text in f"{failure.problem} {failure.reason}" for text in FULL):
        return StorageFull(_size_of(failure.case) if failure.case else sizes[0], failure)
    code = ExitCode(failure.exit_code) if failure.exit_code in set(ExitCode) else ExitCode.CASE_FAILED
    return WeirError(failure.problem, failure.reason or "", failure.suggestion or "", code)
