"""Traces made by hand: what each rank does, one call after the other."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from weir.trace.lane import Clock, Lane
from weir.trace.model import Trace
from weir.trace.names import Call, File
from weir.trace.stream import RECORD

BARRIER = Call("MPI", "MPI_Barrier", "communicate")
READ_ONLY, UPDATE, CREATE = 0o100000, 0o2, 0o1102
O_DIRECTORY, O_PATH = 0o200000, 0o10000000
"""Flags of open() as Linux has them; O_LARGEFILE goes with the first, so that it says something."""


Ranks = int | Sequence[int]


@dataclass
class Recording:
    """Makes a trace."""

    ranks: int
    interface: str = "POSIX"
    calls: list[Call] = field(default_factory=lambda: [Call("DAMAGED", "unknown", "other")])
    files: list[File] = field(default_factory=lambda: [File("", 0)])
    communicators: list[str] = field(default_factory=lambda: [""])
    now: int = 0

    def __post_init__(self) -> None:
        self.rows: list[list[tuple[int, ...]]] = [[] for _ in range(self.ranks)]
        self._numbers: dict[tuple[int, Any], int] = {}

    def call(  # noqa: PLR0913 (the columns of a record)
        self,
        rank: Ranks,
        kind: str,
        name: str,
        offset: int = -1,
        length: int = 0,
        *,
        result: int | None = None,
        flags: int = 0,
        level: int = 0,
        took: int = 10,
        call: Call | None = None,
    ) -> None:
        """One call of a rank, or of each of several, after all others."""
        number = self._number(self.calls, call or Call(self.interface, kind, kind))
        file = self._number(self.files, File(name, 0)) if name else 0
        done = length if result is None else result
        for one in [rank] if isinstance(rank, int) else rank:
            end = self.now + took
            self.rows[one].append((self.now, end, offset, length, done, file, number, level, flags))
            self.now = end + 1

    def open(self, rank: Ranks, name: str, flags: int = CREATE, **rest: int) -> None:
        """Opens a file."""
        self.call(rank, "open", name, length=flags, result=3, **rest)

    def close(self, rank: Ranks, name: str) -> None:
        """Closes it."""
        self.call(rank, "close", name)

    def write(self, rank: Ranks, name: str, offset: int, length: int, **rest: int) -> None:
        """Writes."""
        self.call(rank, "write", name, offset, length, **rest)

    def read(self, rank: Ranks, name: str, offset: int, length: int, **rest: int) -> None:
        """Reads."""
        self.call(rank, "read", name, offset, length, **rest)

    def session(self, rank: int, name: str, *calls: tuple[str, int, int], flags: int = CREATE) -> None:
        """Opens a file, reads and writes (which, offset, length), and closes it."""
        self.open(rank, name, flags)
        for kind, offset, length in calls:
            self.call(rank, kind, name, offset, length)
        self.close(rank, name)

    def barrier(self, ranks: range | None = None) -> None:
        """Ranks wait for each other; all, where none are named."""
        begin = self.now
        ranks = ranks or range(self.ranks)
        for rank in ranks:
            self.now = begin + rank
            self.call(rank, "communicate", "", flags=1, took=1000 - rank, call=BARRIER)
            self._on(rank, f"{ranks[0]}-{ranks[-1]}")

    def mark(self, rank: int, name: str, began: int) -> None:
        """A phase that the program has marked ends."""
        now = self.now
        self.now = began
        self.call(rank, "mark", name, took=now - began, call=Call("MARK", "weir_mark_end", "mark"))
        self.now = now + 1

    def pause(self, nanoseconds: int) -> None:
        """Nothing happens."""
        self.now += nanoseconds

    def trace(self) -> Trace:
        """What was recorded."""
        clock = Clock(0, 0, 1.0)
        communicators = np.append(np.arange(len(self.communicators)), 0)
        calls, files = np.arange(len(self.calls) + 1), np.arange(len(self.files) + 1)
        calls[-1], files[-1] = 0, 0
        lanes = tuple(
            Lane(rank, "node", rank, 1, np.array(rows, RECORD), clock, calls, files, communicators)
            for rank, rows in enumerate(self.rows)
        )
        names = tuple(self.calls), tuple(self.files)
        facts = "T", "app", self.ranks, ("node",), 0, *names, lanes, self.ranks, self.now
        return Trace(*facts, communicators=tuple(self.communicators))

    def _on(self, rank: int, communicator: str) -> None:
        last = self.rows[rank][-1]
        self.rows[rank][-1] = (*last[:5], self._number(self.communicators, communicator), *last[6:])

    def _number(self, known: list[Any], one: Any) -> int:
        number = self._numbers.setdefault((id(known), one), len(known))
        if number == len(known):
            known.append(one)
        return number
