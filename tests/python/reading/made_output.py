"""Outputs of IMB that nobody ran: made-up times in the layout and by the formulas of each version."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

TIMES = ("t_min[usec]", "t_max[usec]", "t_avg[usec]")
ONE_WAY = ("#bytes", "#repetitions", "t[usec]", "Mbytes/sec")
PARALLEL = ("#bytes", "#repetitions", *TIMES, "Mbytes/sec")
COLLECTIVE = ("#bytes", "#repetitions", *TIMES)
SYNC = ("#repetitions", *TIMES)
OVERLAP = ("#bytes", "#repetitions", "t_ovrl[usec]", "t_pure[usec]", "t_CPU[usec]", "overlap[%]")
RATE = ("#bytes", "#repetitions", "Mbytes/sec", "Msg/sec")
WHOLE = {"Group", "#bytes", "#repetitions", "Msg/sec"}
DATE = "Tue Mar 14 15:09:26 2006"


@dataclass(frozen=True)
class Table:
    """A table to print; `rows` have a number for each column."""

    function: str
    columns: Sequence[str]
    rows: Sequence[Sequence[float]]
    processes: int = 2
    groups: int = 1
    idle: int = 0
    mode: str = ""
    old: bool = False

    def text(self) -> str:
        """As IMB prints it; `old`: as PMB 2.2 did."""
        line = "#" + "-" * (13 * len(self.columns) - 1)
        several = "Multi-" if self.groups > 1 else ""
        who = f"# ( #processes = {self.processes} ) " if self.old else f"# #processes = {self.processes} "
        if self.groups > 1:
            who = f"# ( {self.groups} groups of {self.processes} processes each running simultaneous ) \n"
            who += "\n# \n".join(f"# Group {number:2}:     0    1" for number in range(self.groups))
        noun = "process" if self.idle == 1 else "processes"
        idle = [f"# ( {self.idle} additional {noun} waiting in MPI_Barrier)"] if self.idle else []
        mode = ["#", f"#    MODE: {self.mode} ", "#"] if self.mode else []
        head = "".join(column.rjust(13) for column in self.columns)
        title = f"# Benchmarking {several}{self.function} "
        return "\n".join(["", line, title, who, *idle, line, *mode, head, *map(self._row, self.rows), ""])

    def _row(self, row: Sequence[float]) -> str:
        cells = zip(row, self.columns, strict=True)
        return "".join(f"{value:13.0f}" if column in WHOLE else f"{value:13.2f}" for value, column in cells)


def rated(
    sizes: Iterable[int], times_us: Iterable[float], *, moves: float = 1.0, megabyte: float = 1e6
) -> list[tuple[float, ...]]:
    """Rows of ONE_WAY: size, repetitions, time, and the throughput of the time before it is rounded."""
    return [
        (size, 1000, time, moves * size / time * 1e6 / megabyte)
        for size, time in zip(sizes, times_us, strict=True)
    ]


def spread(rows: Iterable[Sequence[float]]) -> list[tuple[float, ...]]:
    """Such rows with a fastest rank and a mean, as in PARALLEL; without throughput as in COLLECTIVE."""
    return [(row[0], row[1], row[2] * 0.9, row[2], row[2] * 0.95, *row[3:]) for row in rows]


def output(  # noqa: PLR0913 - what a heading says
    *tables: Table | str,
    version: str = "2021.11",
    part: str = "MPI-1",
    command: str = "IMB-MPI1",
    date: str = DATE,
    release: str = "2.6.9",
    listed: Sequence[str] = (),
    complete: bool = True,
) -> str:
    """All that one start prints."""
    text = "".join(one if isinstance(one, str) else one.text() for one in tables)
    names = listed or [one.function for one in tables if isinstance(one, Table)]
    end = "\n\n# All processes entering MPI_Finalize\n\n" if complete else ""
    return _head(version, part, command, date, release) + _list(names) + text + end


def _head(version: str, part: str, command: str, date: str, release: str) -> str:
    line = "#---------------------------------------------------"
    number = float(version[:4].strip("."))
    old = number < 3
    name = "Intel (R) MPI Benchmark Suite V" if number < 4 else "Intel (R) MPI Benchmarks "
    name = "PALLAS MPI Benchmark Suite V" if version == "2.2" else name
    name = "Intel(R) MPI Benchmarks " if number >= 2019 else name
    called = "" if old else f"\n\n# Calling sequence was: \n\n# {command} \n"
    machine = ["# Machine    : ia64# System     : Linux"] if old else ["# Machine : ia64", "# System : Linux"]
    return "\n".join(
        [
            line,
            f"#    {name}{version}, {part} part    ",
            line,
            f"# Date                  : {date}",
            *machine,
            f"# Release               : {release}",
            "# Version               : #1 SMP",
            *([] if old else ["# MPI Version           : 2.0", "# MPI Thread Environment: "]),
            called,
            "# Minimum message length in bytes:   0",
            "# MPI_Datatype                   :   MPI_BYTE ",
            "# MPI_Op                         :   MPI_SUM  ",
            "",
        ]
    )


def _list(names: Sequence[str]) -> str:
    return "\n# List of Benchmarks to run:\n\n" + "".join(f"# {name}\n" for name in names)
