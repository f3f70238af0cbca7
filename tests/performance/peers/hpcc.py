"""The other side: the program of the HPC Challenge, and the numbers of its summary."""

from __future__ import annotations

import re
from pathlib import Path

from peers.launch import LaunchFailed, Ranks

SETTINGS = (
    "title\ntitle\nHPL.out\n8\n1\n{n}\n1\n{block}\n0\n1\n1\n{ranks}\n16.0\n1\n2\n1\n4\n1\n2\n1\n1\n1\n1\n1\n1\n2\n64\n"
    "0\n0\n1\n8\n"
)
"""Its input file, for a grid of one row."""


def hpcc_results(
    program: str, ranks: Ranks, folder: Path, order: int | None = None, block: int = 40
) -> dict[str, float]:
    """The values of its summary, by its names; of a matrix as small as it takes if no order is given, since
    it runs all of its tests. Raises LaunchFailed where it printed none."""
    settings = SETTINGS.format(n=order or 100 * ranks.ranks, block=block, ranks=ranks.ranks)
    (folder / "hpccinf.txt").write_text(settings)
    output = folder / "hpccoutf.txt"
    output.unlink(missing_ok=True)
    ranks.run(program, folder=folder)
    text = output.read_text() if output.exists() else ""
    found = {name: float(value) for name, value in re.findall(r"^(\w+)=([-+.\de]+)$", text, re.MULTILINE)}
    if "MaxPingPongLatency_usec" not in found:
        raise LaunchFailed("it printed no latency")
    return found
