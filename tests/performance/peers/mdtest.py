"""The other side for metadata: mdtest, and the rates out of its summary.

Its rates are files over the time from the phase's start to the last rank's end, creating the tree outside;
its reading of empty files is opening and closing them.
"""

from __future__ import annotations

import re
from pathlib import Path

from peers.launch import LaunchFailed, Ranks

PHASES = {"create": "File creation", "stat": "File stat", "open": "File read", "unlink": "File removal"}
"""Our phases, and what mdtest calls them."""


class Mdtest:
    """An mdtest under a launcher."""

    def __init__(self, program: str, ranks: Ranks) -> None:
        self._program = program
        self._ranks = ranks

    def run(self, directory: Path, files: int, layout: str) -> dict[str, list[float]]:
        """Files a second, by phase, of one iteration with that many files a rank."""
        own = ["-u"] if layout == "private-directory" else []
        said = self._ranks.run(self._program, "-F", "-n", str(files), "-i", "1", *own, "-d", directory)
        return {phase: [rate] for phase, rate in rates(said).items()}


def rates(said: str) -> dict[str, float]:
    """Mean rates (of one iteration, its rate), by our phases. Raises LaunchFailed where one is missing."""
    found: dict[str, float] = {}
    for phase, theirs in PHASES.items():
        row = re.search(rf"^\s*{theirs}\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s*$", said, re.MULTILINE)
        if row is None:
            raise LaunchFailed(f"it did not print a rate of '{theirs}'")
        found[phase] = float(row[3])
    return found
