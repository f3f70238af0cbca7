"""The edge of the search: starts ranks that write and read files of a size, and keeps what they say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from weir.analyse.metric import bandwidth_of
from weir.calibrate.search import DIRECTIONS, READ, WRITE
from weir.calibrate.settled import settled
from weir.calibrate.ways import Way
from weir.drive.clock import Clock
from weir.drive.driver import RETRIES, SHORTEST_SILENCE_LIMIT_S, SILENCE_FACTOR
from weir.drive.launch_spec import case_file
from weir.drive.launch_watch import LaunchWatch
from weir.errors import WeirError
from weir.exit_codes import ExitCode
from weir.files.write import write
from weir.launch.base import Launcher, LaunchRequest, LaunchSpec
from weir.launch.ending import stderr_tail
from weir.pattern import Pattern
from weir.store.records import BeginRecord, FailureRecord, LaunchRecord, SampleRecord, Warning

FULL = ("No space left on device", "Disk quota exceeded")
LAUNCH_S = 1.0


PatternOf = Callable[[dict[str, Any]], Pattern]
"""The pattern of a case, by `weir-core describe`."""


@dataclass(frozen=True)
class Taken:
    """One sample: a direction of one file size, in bytes a rank and bytes a second."""

    way: str
    size: int
    direction: str
    bandwidth: float
    from_device: bool | None
    """Whether a read's bytes came from the device, by the kernel's counts; None if unknown, or a write."""
    started_at: str | None


@dataclass(frozen=True)
class About:
    """Files of these sizes are about to be measured."""

    way: Way
    sizes: Sequence[int]
    expected_s: float | None


class StorageFull(WeirError):
    """There is no room for files of `size` bytes a rank, for want of space or by a quota."""

    def __init__(self, size: int, failure: FailureRecord) -> None:
        super().__init__(failure.problem, failure.reason or "", "free space", ExitCode.CASE_FAILED)
        self.size = size


@dataclass
class Bench:
    """Measures in one directory with one number of ranks, on one node."""

    program: Path
    pattern_of: PatternOf
    launcher: Launcher
    directory: Path
    logs: Path
    ranks: int
    transfer: int
    clock: Clock
    warm_bytes: int
    tell: Callable[[About | Taken | Warning | str], None]
    written: int = 0
    taken: list[Taken] = field(default_factory=list)
    empty: Callable[[], None] = lambda: None
    """Removes the files of a launch that died."""
    _launches: int = 0
    _is_warm: bool = False
    _seconds_per_byte: dict[str, tuple[int, float]] = field(default_factory=dict)
    _warned: set[str] = field(default_factory=set)

    def measure(self, way: Way, sizes: Sequence[int], reads: bool = True) -> list[Mapping[str, float]]:
        """Write, and if asked read, files of these sizes in this order; bandwidths by direction for each.
        What a launch that died had not finished is tried again, once.

        Raises StorageFull where there is no room, WeirError for any other failure.
        """
        self.tell(About(way, sizes, self.expected_s(sizes, reads)))
        results: list[Mapping[str, float]] = []
        for times in range(1, RETRIES + 2):
            found, watch = self._launch(way, sizes[len(results) :], reads)
            if watch.failures:
                raise _error(watch.failures[0], sizes[len(results) + max(len(found) - 1, 0)])
            if watch.death is None:
                return [*results, *found]
            results += found[: sum(map(len, watch.durations_s.values()))]
            died = watch.death
            if times <= RETRIES:
                self.tell(f"the launch died: {died.problem} ({died.reason}); its rest is tried again, once")
                self.empty()
        again = f"{died.problem}, {RETRIES + 1} times in a row"
        raise _error(msgspec.structs.replace(died, problem=again), sizes[len(results)])

    def _launch(
        self, way: Way, sizes: Sequence[int], reads: bool
    ) -> tuple[list[dict[str, float]], LaunchWatch]:
        """One launch: bandwidths of the sizes that it came to, and how it ended."""
        cases = [self._case(way, size, reads) for size in sizes]
        results: list[dict[str, float]] = []
        watch = LaunchWatch([case["id"] for case in cases], self.clock)
        request = self._request(cases, sizes, reads)
        self.written += self.ranks * sum(sizes)

        def on_line(line: bytes) -> None:
            match watch.take(line):
                case (_, BeginRecord()):
                    results.append({})
                case (_, SampleRecord() as sample) if sample.phase in DIRECTIONS:
                    results[-1][sample.phase] = bandwidth_of(sample) or 0.0
                    self._keep(way, sizes[len(results) - 1], sample)
                case (_, LaunchRecord() as launch):
                    self._pass_on(launch.warnings)

        how = self.launcher.run(request, on_line)
        watch.conclude(how, stderr_tail(request.stderr_path))
        self._is_warm = self._is_warm or watch.ended
        return results, watch

    def expected_s(self, sizes: Sequence[int], reads: bool) -> float | None:
        """How long that will take, at the rates of the largest files so far; None before the first."""
        names = (WRITE, READ) if reads else (WRITE,)
        if any(name not in self._seconds_per_byte for name in names):
            return None
        return LAUNCH_S + self.ranks * sum(sizes) * sum(self._seconds_per_byte[name][1] for name in names)

    def _case(self, way: Way, size: int, reads: bool) -> dict[str, Any]:
        options = {
            "backend": "posix",
            "layout": "file-per-process",
            "block": size,
            "transfer": self.transfer,
            "segments": 1,
            "read": reads,
            **way.options,
        }
        place = {"dir": str(self.directory)}
        name = f"{way.name}-{size}" + ("" if reads else "-write")
        case = {"id": name, "benchmark": "storage", "options": options | place}
        if way.settles and reads:
            path = self.logs / f"{name}-pattern.json"
            pattern = settled(self.pattern_of({**case, "ranks": self.ranks}))
            write(path, msgspec.json.encode(pattern))
            case["options"] = {"backend": "posix", "pattern": str(path), **place}
        return case

    def _request(self, cases: Sequence[dict[str, Any]], sizes: Sequence[int], reads: bool) -> LaunchRequest:
        spec = LaunchSpec(self.ranks, nodes=1)
        # Memory that the host has backed stays backed, so the first launch that ends warms for all.
        warm = 0 if self._is_warm else self.warm_bytes
        self._launches += 1
        path = self.logs / f"launch-{self._launches:04}.json"
        content = case_file(cases, spec, self.launcher.binding(spec), warm)
        write(path, msgspec.json.encode(content))
        silence_s = SILENCE_FACTOR * (self.expected_s(sizes, reads) or 0.0)
        return LaunchRequest(
            spec,
            (str(self.program), str(path)),
            path.with_suffix(".stderr"),
            max(SHORTEST_SILENCE_LIMIT_S, silence_s),
        )

    def _keep(self, way: Way, size: int, sample: SampleRecord) -> None:
        bandwidth = bandwidth_of(sample) or 0.0
        suspect = sample.cache.suspect if sample.cache else None
        from_device = None if suspect is None else not suspect
        taken = Taken(way.name, size, sample.phase, bandwidth, from_device, sample.started_at)
        self.taken.append(taken)
        if size >= self._seconds_per_byte.get(sample.phase, (0, 0.0))[0]:
            self._seconds_per_byte[sample.phase] = (size, 1 / bandwidth)
        self.tell(taken)

    def _pass_on(self, warnings: Sequence[Warning]) -> None:
        for warning in warnings:
            if warning.code not in self._warned:
                self._warned.add(warning.code)
                self.tell(warning)


def _error(failure: FailureRecord, size: int) -> WeirError:
    if any(text in f"{failure.problem} {failure.reason}" for text in FULL):
        return StorageFull(size, failure)
    code = ExitCode(failure.exit_code) if failure.exit_code in set(ExitCode) else ExitCode.CASE_FAILED
    return WeirError(failure.problem, failure.reason or "", failure.suggestion or "", code)
