"""Measures for the search: launches ranks that write and read files of one size, and keeps the samples."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from weir.analyse.metric import bandwidth_of
from weir.calibrate.calibration import DIRECTIONS, READ, WRITE
from weir.errors import ExitCode, WeirError
from weir.files.write import write
from weir.launch.base import Launcher, LaunchRequest, LaunchSpec
from weir.launch.ending import stderr_tail
from weir.measure.driver import RETRIES, SHORTEST_SILENCE_LIMIT_S, SILENCE_FACTOR
from weir.measure.launch_watch import Clock, LaunchWatch, case_file
from weir.pattern import Close, Open, Pattern, Step, Sync
from weir.store.records import BeginRecord, FailureRecord, LaunchRecord, SampleRecord, Warning

FULL = ("No space left on device", "Disk quota exceeded")
LAUNCH_S = 1.0


@dataclass(frozen=True)
class CacheMode:
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


class Taken(msgspec.Struct, frozen=True):
    """One sample: a direction of one file size, in bytes a rank and bytes a second."""

    mode: str = msgspec.field(name="way")
    size: int
    direction: str
    bandwidth: float
    from_device: bool | None
    """Whether a read's bytes came from the device, by the kernel's counts; None if unknown, or a write."""
    started_at: str | None


class About(msgspec.Struct, frozen=True):
    """Files of these sizes are about to be measured."""

    mode: CacheMode = msgspec.field(name="way")
    sizes: Sequence[int]
    expected_s: float | None


Event = About | Taken | Warning | str
Tell = Callable[[Event], None]


class StorageFull(WeirError):
    """There is no room for files of `size` bytes a rank, for want of space or by a quota."""

    def __init__(self, size: int, failure: FailureRecord) -> None:
        super().__init__(failure.problem, failure.reason or "", "free space", ExitCode.CASE_FAILED)
        self.size = size


@dataclass
class Bench:
    """Measures in one directory with one number of ranks, on one node."""

    program: Path
    pattern_of: Callable[[dict[str, Any]], Pattern]
    """The pattern of a case, by `weir-core describe`."""
    launcher: Launcher
    directory: Path
    logs: Path
    ranks: int
    transfer: int
    clock: Clock
    warm_bytes: int
    tell: Tell
    empty: Callable[[], None] = lambda: None
    """Removes the files of a launch that died."""
    written: int = 0
    taken: list[Taken] = field(default_factory=list)
    _launches: int = 0
    _seconds_per_byte: dict[str, tuple[int, float]] = field(default_factory=dict)
    """By direction: of the largest size so far."""
    _warned: set[str] = field(default_factory=set)

    def measure(self, mode: CacheMode, sizes: Sequence[int], reads: bool = True) -> list[Mapping[str, float]]:
        """Write, and if asked read, files of these sizes in this order; bandwidths by direction for each.
        What a launch that died had not finished is tried again, once.

        Raises StorageFull where there is no room, WeirError for any other failure.
        """
        self.tell(About(mode, sizes, self.expected_s(sizes, reads)))
        results: list[Mapping[str, float]] = []
        for times in range(1, RETRIES + 2):
            found, watch = self._launch(mode, sizes[len(results) :], reads)
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

    def expected_s(self, sizes: Sequence[int], reads: bool) -> float | None:
        """How long that will take, at the rates of the largest files so far; None before the first."""
        rates = [self._seconds_per_byte.get(name) for name in ((WRITE, READ) if reads else (WRITE,))]
        if None in rates:
            return None
        return LAUNCH_S + self.ranks * sum(sizes) * sum(rate[1] for rate in rates if rate)

    def _launch(
        self, mode: CacheMode, sizes: Sequence[int], reads: bool
    ) -> tuple[list[dict[str, float]], LaunchWatch]:
        """One launch: bandwidths of the sizes that it came to, and how it ended."""
        cases = [self._case(mode, size, reads) for size in sizes]
        results: list[dict[str, float]] = []
        watch = LaunchWatch([case["id"] for case in cases], self.clock)
        request = self._request(cases, self.expected_s(sizes, reads) or 0.0)
        self.written += self.ranks * sum(sizes)

        def on_line(line: bytes) -> None:
            match watch.take(line):
                case (_, BeginRecord()):
                    results.append({})
                case (_, SampleRecord() as sample) if sample.phase in DIRECTIONS:
                    results[-1][sample.phase] = self._keep(mode, sizes[len(results) - 1], sample)
                case (_, LaunchRecord() as launch):
                    for warning in launch.warnings:
                        if warning.code not in self._warned:
                            self._warned.add(warning.code)
                            self.tell(warning)

        how = self.launcher.run(request, on_line)
        watch.conclude(how, stderr_tail(request.stderr_path))
        if watch.ended:
            self.warm_bytes = 0  # memory that the host has backed stays backed
        return results, watch

    def _case(self, mode: CacheMode, size: int, reads: bool) -> dict[str, Any]:
        place = {"backend": "posix", "dir": str(self.directory)}
        layout = {"layout": "file-per-process", "block": size, "transfer": self.transfer, "segments": 1}
        name = f"{mode.name}-{size}" + ("" if reads else "-write")
        case = {
            "id": name,
            "benchmark": "storage",
            "options": {**place, **layout, "read": reads, **mode.options},
        }
        if mode.settles and reads:
            path = self.logs / f"{name}-pattern.json"
            write(path, msgspec.json.encode(settled(self.pattern_of({**case, "ranks": self.ranks}))))
            case["options"] = {**place, "pattern": str(path)}
        return case

    def _request(self, cases: Sequence[dict[str, Any]], expected_s: float) -> LaunchRequest:
        spec = LaunchSpec(self.ranks, nodes=1)
        self._launches += 1
        path = self.logs / f"launch-{self._launches:04}.json"
        content = case_file(cases, spec, self.launcher.binding(spec), self.warm_bytes)
        write(path, msgspec.json.encode(content))
        limit_s = max(SHORTEST_SILENCE_LIMIT_S, SILENCE_FACTOR * expected_s)
        return LaunchRequest(spec, (str(self.program), str(path)), path.with_suffix(".stderr"), limit_s)

    def _keep(self, mode: CacheMode, size: int, sample: SampleRecord) -> float:
        bandwidth = bandwidth_of(sample) or 0.0
        suspect = sample.cache.suspect if sample.cache else None
        from_device = None if suspect is None else not suspect
        taken = Taken(mode.name, size, sample.phase, bandwidth, from_device, sample.started_at)
        self.taken.append(taken)
        if size >= self._seconds_per_byte.get(sample.phase, (0, 0.0))[0]:
            self._seconds_per_byte[sample.phase] = (size, 1 / bandwidth)
        self.tell(taken)
        return bandwidth


def settled(pattern: Pattern) -> Pattern:
    """The pattern with a phase that only syncs, between its first phase and the rest.

    What an unsynced write leaves behind would be written while the read is timed, and the read be slower for
    it the larger the share that is left: a slope that no cache makes.
    """
    first, *rest = pattern.phases
    steps = [Step(open=Open(file=0, mode="update")), Step(sync=Sync(file=0)), Step(close=Close(file=0))]
    settle = msgspec.structs.replace(first, name="settle", steps=steps)
    return msgspec.structs.replace(pattern, phases=[first, settle, *rest])


def _error(failure: FailureRecord, size: int) -> WeirError:
    if any(text in f"{failure.problem} {failure.reason}" for text in FULL):
        return StorageFull(size, failure)
    code = ExitCode(failure.exit_code) if failure.exit_code in set(ExitCode) else ExitCode.CASE_FAILED
    return WeirError(failure.problem, failure.reason or "", failure.suggestion or "", code)
