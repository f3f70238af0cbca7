"""A calibration without a disk: the real protocol and bench, with a launcher that plays a machine."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from fakes.launching import ManualClock, MockLauncher
from sample_lines import sample_line
from weir.calibrate.bench import Bench
from weir.calibrate.calibration import DIRECTIONS, READ, Calibration
from weir.calibrate.limits import Request, Situation
from weir.calibrate.protocol import Protocol
from weir.core.schema import Description
from weir.launch.base import LaunchSpec
from weir.launch.process import Exit
from weir.pattern import File, Pattern, phase_of

from .machines import GIB, Machine


class DescribingCore:
    """Describes every case as a write and a read."""

    program = Path("weir-core")

    def describe(self, cases: list[dict[str, Any]]) -> dict[str, Description]:
        """As the real one, without steps."""
        files, phases = [File(name="data", per_rank=True)], [phase_of(name, []) for name in DIRECTIONS]
        pattern = Pattern(weir_pattern=1, name="two", ranks=1, files=files, phases=phases)
        written = msgspec.Raw(msgspec.json.encode(pattern))
        return {case["id"]: Description(case["id"], written=written) for case in cases}


STORAGE = {"host": "n1", "mount_point": "/s", "type": "ext4", "source": "/dev/s", "nature": "local"}


@dataclass
class Stage:
    """The machine behind the launcher. `room` is what a rank's file may grow to; `refuses` is a way's name
    that fails."""

    machine: Machine
    room: int = 1 << 60
    refuses: str = ""
    clock: ManualClock = field(default_factory=ManualClock)
    told: list[Any] = field(default_factory=list)
    warmed: list[int] = field(default_factory=list)
    dies: set[int] = field(default_factory=set)
    """Launches, counted from 1, that are killed in their last case."""
    emptied: int = 0
    asked: set[LaunchSpec] = field(default_factory=set)
    """What launches asked for."""

    def script(self, content: dict[str, Any], spec: LaunchSpec) -> Iterator[dict[str, Any] | bytes | Exit]:
        self.asked.add(spec)
        self.warmed.append(content["warm_memory_bytes"])
        dies = len(self.warmed) in self.dies
        for number, case in enumerate(content["cases"], start=1):
            yield {"schema": 1, "kind": "begin", "case": case["id"]}
            way, size = case["id"].split("-")
            failure = self._failure(way, int(size))
            if failure:
                yield {"schema": 1, "kind": "failure", "case": case["id"], "exit_code": 3, **failure}
                yield {"schema": 1, "kind": "end", "exit_code": 3}
                return
            if dies and number == len(content["cases"]):
                yield Exit(None, signal=9)
                return
            yield from (self._sample(case["id"], way, int(size), name) for name in DIRECTIONS)
        yield {"schema": 1, "kind": "end", "exit_code": 0}

    def empty(self) -> None:
        self.emptied += 1

    def _failure(self, way: str, size: int) -> dict[str, str]:
        if way == self.refuses:
            return {"problem": "cannot open", "reason": "Invalid argument"}
        full = {"problem": "cannot write", "reason": "Disk quota exceeded"}
        return full if size > self.room else {}

    def _sample(self, case: str, way: str, size: int, name: str) -> dict[str, Any]:
        machine = self.machine
        total = size * machine.ranks
        bandwidth = machine._once(name, size) if way == "cached" else machine.storage
        self.clock.advance(total / bandwidth)
        cached = way == "cached" and total <= machine.read_cache
        cache = {"methods": [], "suspect": cached} if name == READ else None
        return sample_line(case, name, bandwidth_bytes_per_s=bandwidth, cache=cache)


def play(
    folder: Path, stage: Stage, *, budget_s: float = 1e6, most: int | None = None, free: int | None = None
) -> Calibration:
    """Calibrate on that stage."""
    machine = stage.machine
    request = Request(Path("/s"), ranks=machine.ranks, budget_s=budget_s, most_bytes=most)
    memory = {"total": machine.memory, "cacheable": int(0.97 * machine.memory)}
    memory["write_cache"] = int(0.15 * machine.memory)
    situation = Situation(request, STORAGE, machine.ranks, memory, free)
    bench = Bench(
        situation=situation,
        core=DescribingCore(),
        launcher=MockLauncher(stage.script),
        folder=Path("/s/scratch"),
        logs=folder,
        tell=stage.told.append,
        empty=stage.empty,
        clock=stage.clock,
    )
    return Protocol(situation, bench).run()


def usual(**changes: Any) -> Machine:
    """A machine of 24 GiB with a cliff for writing and one for reading."""
    return Machine(**{"write_cache": 4 * GIB, "read_cache": 23 * GIB, **changes})
