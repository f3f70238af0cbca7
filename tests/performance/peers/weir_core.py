"""Our side: a case for `weir-core`, and the numbers out of its lines."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from peers.launch import LaunchFailed, Ranks
from weir.core.client import Core, find_core

WARM_BYTES = 2 << 30


class WeirCore:
    """A `weir-core` under a launcher; it warms no memory by itself, since the other side does not either."""

    def __init__(self, ranks: Ranks) -> None:
        self._core = Core(find_core())
        self._ranks = ranks
        schema = self._core.schema()
        self.backends = {backend.name for backend in schema.backends}
        self.benchmarks = {benchmark.name for benchmark in schema.benchmarks}
        self.busy_cores: float | None = None
        """The most cores that were busy with other things as a launch began; None if that is not known."""

    def run(self, benchmark: str, options: dict[str, Any], warm_bytes: int = 0) -> list[dict[str, Any]]:
        """The sample lines of one case. Raises LaunchFailed where it gave none, or failed."""
        folder = Path(options["dir"])
        file = folder.with_name(f"{folder.name}.case.json")
        case = {"id": "peer", "benchmark": benchmark, "options": {**options, "dir": str(folder)}}
        file.write_text(json.dumps({"schema": 1, "warm_memory_bytes": warm_bytes, "cases": [case]}))
        try:
            said = self._ranks.run(self._core.program, file)
        finally:
            file.unlink()
        lines = [json.loads(line) for line in said.splitlines()]
        for line in lines:
            if line["kind"] == "failure":
                raise LaunchFailed(f"{line['problem']} ({line['reason']})")
            if line["kind"] == "launch":
                self._note(line["load"]["busy_cores"])
        return [line for line in lines if line["kind"] == "sample"]

    def warm_memory(self, directory: Path) -> None:
        """Touch memory, so that neither side pays for the first touch of what a host backs lazily."""
        available = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        options = {"backend": "null", "read": False, "dir": directory}
        self.run("storage", options, min(WARM_BYTES, available // 4))

    def _note(self, busy_cores: float | None) -> None:
        if busy_cores is not None:
            self.busy_cores = max(self.busy_cores or 0.0, busy_cores)


def by_phase(samples: list[dict[str, Any]], key: str) -> dict[str, list[float]]:
    """One metric of the samples, by phase in the order of the repetitions."""
    found: dict[str, list[float]] = {}
    for sample in samples:
        value = next(one["value"] for one in sample["metrics"] if one["key"] == key)
        found.setdefault(sample["phase"], []).append(float(value))
    return found
