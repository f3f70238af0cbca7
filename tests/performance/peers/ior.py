"""The other side for bandwidth: IOR, and the numbers out of what it prints.

What it counts is what we count: bytes over the time from the first rank's open to the last rank's close, the
sync inside, the removal of the files outside.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence

from peers.launch import LaunchFailed, Ranks

MIB = 1 << 20
COLUMNS = ("access", "bw", "IOPS", "latency", "block", "xfer", "open", "wr/rd", "close", "total", "iter")


class Ior:
    """An IOR under a launcher."""

    def __init__(self, program: str, ranks: Ranks) -> None:
        self._program = program
        self._ranks = ranks
        done = subprocess.run([program, "-h"], capture_output=True, text=True, timeout=60, check=False)
        self.interfaces = interfaces_of(done.stdout + done.stderr)

    def run(self, arguments: Sequence[str]) -> dict[str, list[float]]:
        """Bytes/s of each repetition, by phase. Raises LaunchFailed where it did not end well."""
        return bandwidths(self._ranks.run(self._program, *arguments))


def interfaces_of(help_text: str) -> set[str]:
    """The interfaces that it was built with, from its help."""
    found = re.search(r"API for I/O \[([^\]]*)\]", help_text)
    return set(found[1].split("|")) if found else set()


def bandwidths(said: str) -> dict[str, list[float]]:
    """Bytes/s by phase, from the table that it prints while it runs: a line a phase, as we do. (Its other
    output would be taken after the end, so that the launcher has nothing to hand on between phases.) Raises
    LaunchFailed where there is no such line.
    """
    found: dict[str, list[float]] = {}
    for line in said.splitlines():
        cells = line.split()
        if len(cells) == len(COLUMNS) and cells[0] in ("write", "read"):
            found.setdefault(cells[0], []).append(float(cells[1]) * MIB)
    if not found:
        raise LaunchFailed("it printed no result")
    return found
