"""The other side for rings: the program of the HPC Challenge, and its numbers of the network."""

from __future__ import annotations

import re
from pathlib import Path

from peers.launch import LaunchFailed, Ranks

SETTINGS = (
    "title\ntitle\nHPL.out\n8\n1\n{n}\n1\n40\n0\n1\n1\n{ranks}\n16.0\n1\n2\n1\n4\n1\n2\n1\n1\n1\n1\n1\n1\n2\n64\n"
    "0\n0\n1\n8\n"
)
"""Its input file: a matrix as small as it takes, since it runs all of its other benchmarks too."""


def hpcc_results(program: str, ranks: Ranks, folder: Path) -> dict[str, float]:
    """The values of its summary, by its names. Raises LaunchFailed where it printed none."""
    (folder / "hpccinf.txt").write_text(SETTINGS.format(n=100 * ranks.ranks, ranks=ranks.ranks))
    output = folder / "hpccoutf.txt"
    output.unlink(missing_ok=True)
    ranks.run(program, folder=folder)
    text = output.read_text() if output.exists() else ""
    found = {name: float(value) for name, value in re.findall(r"^(\w+)=([-+.\de]+)$", text, re.MULTILINE)}
    if "MaxPingPongLatency_usec" not in found:
        raise LaunchFailed("it printed no latency")
    return found
