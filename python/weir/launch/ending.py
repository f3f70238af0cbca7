"""What ended a launch that did not come to its own end: how its process ended, and what was said of it.

Launchers of MPI pass on a rank's end in words of their own; only those words tell which rank it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from weir.files.plain import read_plain
from weir.launch.noise import causes_in
from weir.launch.process import Exit, signal_name

LINES = 3
LONGEST_LINE = 300
_TAIL_BYTES = 16384
_SIGNALS_FROM = 128
_MOST_SIGNALS = 64

_RANK_AND_SIGNAL = (
    re.compile(r"process rank (?P<rank>\d+) .*exited on signal (?P<signal>\d+)"),  # Open MPI
    re.compile(r"RANK (?P<rank>\d+) PID .*\n.*KILLED BY SIGNAL: (?P<signal>\d+)"),  # Hydra
    re.compile(r"EXIT STRING: .*\(signal (?P<signal>\d+)\)"),  # Hydra
)
_RANK_AND_CODE = (
    re.compile(r"Process name: \[\[\d+,\d+\],(?P<rank>\d+)\]\s+Exit code:\s+(?P<code>\d+)"),  # Open MPI
    re.compile(r"MPI_ABORT was invoked on rank (?P<rank>\d+) .*\n?\s*with errorcode (?P<code>\d+)"),
    re.compile(r"application called MPI_Abort\(.*?(?P<code>\d+)\) - process (?P<rank>\d+)"),  # MPICH
    re.compile(r"RANK (?P<rank>\d+) PID .*\n.*EXIT STATUS: (?P<code>\d+)"),  # Hydra
)


@dataclass(frozen=True)
class Ending:
    """Of a launch; of the rank that ended it, where that is known."""

    how: Exit
    rank: int | None = None
    signal: int | None = None
    code: int | None = None
    last_lines: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = [self._of_rank(), f"the launch {self.how}"]
        if self.last_lines:
            said = "its last line" if len(self.last_lines) == 1 else "its last lines"
            parts.append(f"{said}: {' | '.join(self.last_lines)}")
        return "; ".join(part for part in parts if part)

    def _of_rank(self) -> str:
        who = "a rank" if self.rank is None else f"rank {self.rank}"
        if self.signal is not None and self.signal != self.how.signal:
            return f"{who} was killed by signal {self.signal} ({signal_name(self.signal)})"
        if self.rank is not None and self.code is not None:
            return f"{who} ended with exit code {self.code}"
        return ""


def ending_of(how: Exit, talk: Sequence[str]) -> Ending:
    """How it ended, by the exit of the launcher's process and the lines that were said last."""
    text = "\n".join(talk)
    own = [line[:LONGEST_LINE] for line in causes_in(talk)]
    last_lines = tuple(own[-LINES:])
    for pattern in _RANK_AND_SIGNAL:
        if found := pattern.search(text):
            rank = found.groupdict().get("rank")
            return Ending(
                how, int(rank) if rank else None, signal=int(found["signal"]), last_lines=last_lines
            )
    for pattern in _RANK_AND_CODE:
        if found := pattern.search(text):
            return Ending(how, int(found["rank"]), code=int(found["code"]), last_lines=last_lines)
    return Ending(how, signal=_signal_of(how), last_lines=last_lines)


def last_talk(path: Path) -> list[str]:
    """The last lines that a program said to standard error; empty if it said nothing."""
    try:
        return read_plain(path)[-_TAIL_BYTES:].decode(errors="replace").splitlines()
    except OSError:
        return []


def _signal_of(how: Exit) -> int | None:
    """The signal that ended it; launchers pass on a rank's as exit code 128 + signal."""
    if how.signal is not None:
        return how.signal
    if how.code is not None and _SIGNALS_FROM < how.code <= _SIGNALS_FROM + _MOST_SIGNALS:
        return how.code - _SIGNALS_FROM
    return None
