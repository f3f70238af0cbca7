"""For tests of what drives launches: a launcher that starts nothing, and a clock that stands still."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weir.launch.base import Command, Launcher, LaunchRequest, LaunchSpec, OnLine
from weir.launch.process import Exit

Script = Callable[[dict[str, Any], LaunchSpec], Iterable[dict[str, Any] | bytes | Exit]]


class MockLauncher(Launcher):
    """Calls the script with each case file and replays what it yields: lines, and at last an Exit if not
    code 0."""

    summary = "replays a script"

    def __init__(self, script: Script) -> None:
        self._script = script
        self.launches: list[list[str]] = []
        """Ids of the cases of every launch so far, in their order."""

    def prepare(self) -> None:
        """Nothing is needed."""

    def command(self, spec: LaunchSpec, program: tuple[str, ...]) -> Command:
        """The program itself."""
        return Command(program, dict(spec.env))

    def binding(self, spec: LaunchSpec) -> str | None:
        """As asked."""
        return spec.binding

    def run(self, request: LaunchRequest, on_line: OnLine) -> Exit:
        """Replay the script."""
        case_file = json.loads(Path(request.program[-1]).read_text())
        self.launches.append([case["id"] for case in case_file["cases"]])
        request.stderr_path.touch()
        for item in self._script(case_file, request.spec):
            if isinstance(item, Exit):
                return item
            on_line(item if isinstance(item, bytes) else json.dumps(item).encode())
        return Exit(0)


@dataclass
class ManualClock:
    """A clock that stands still until told to move."""

    now_s: float = 0.0

    def now(self) -> float:
        """The time now."""
        return self.now_s

    def advance(self, seconds: float) -> None:
        """Move on."""
        self.now_s += seconds
