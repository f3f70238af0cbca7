"""The other side for functions of MPI: the Intel MPI Benchmarks, and the times out of their tables."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence

from peers.launch import LaunchFailed, Ranks

Times = dict[tuple[str, int], float]
"""Microseconds, by function and message size: IMB's t, or t_max."""


class Imb:
    """An IMB-MPI1 under a launcher. `amount`: calls of a size, and their MiB at most."""

    def __init__(self, program: str, ranks: Ranks, amount: str) -> None:
        self._program, self._ranks, self._amount = program, ranks, amount

    def run(self, functions: Sequence[str], sizes: Sequence[int]) -> Times:
        """Every function at every size, on all ranks. Raises LaunchFailed where it did not end well."""
        with tempfile.NamedTemporaryFile("w", suffix=".sizes") as file:
            file.write("\n".join(map(str, sizes)) + "\n")
            file.flush()
            ranks = str(self._ranks.ranks)
            amounts = ("-npmin", ranks, "-iter", self._amount, "-msglen", file.name)
            said = self._ranks.run(self._program, *amounts, *functions)
        return times_of(said)


def times_of(said: str) -> Times:
    """The times in its tables: of a single one the t, of three the second, t_max; Barrier has no size."""
    found: Times = {}
    function, columns = "", []
    for line in said.splitlines():
        cells = line.split()
        if began := re.match(r"# Benchmarking (\S+)", line):
            function, columns = began[1], []
        elif cells and cells[0] in ("#bytes", "#repetitions"):
            columns = cells
        elif columns and len(cells) == len(columns) and cells[0] != "#":
            of = dict(zip(columns, cells, strict=True))
            time = of.get("t_max[usec]") or of.get("t[usec]")
            if time:
                found[function, int(of.get("#bytes", 0))] = float(time)
    if not found:
        raise LaunchFailed("it printed no result")
    return found
