"""What the ranks of a launch say about each other on standard error while nothing goes on: `progress` and
`stall` lines (docs/reference/protocol.md), and from these, which rank the others wait for.

Each node speaks for its ranks. A node that does not speak has stopped as a whole.
"""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import BinaryIO, Self

import msgspec

from weir.bounded_parsing import decode_json
from weir.units import count_words

_PROGRESS = b'"kind":"progress"'
_STALL = b'"kind":"stall"'
_MOST_NAMED = 4


def is_sign(line: bytes) -> bool:
    """Is that line of standard error one of these, and no talk?"""
    return line.startswith(b"{") and (_PROGRESS in line or _STALL in line)


class Suspect(msgspec.Struct, frozen=True):
    """A rank that waits for no other rank; the state is a word of the protocol."""

    rank: int
    process: int
    state: str
    calls: list[str] = []
    mpi_call: str | None = None
    kernel_function: str | None = None
    phase: str | None = None

    @property
    def gravity(self) -> int:
        """The lower, the surer it is that the others wait for this one."""
        return list(_STATES).index(self.state) if self.state in _STATES else len(_STATES)

    def words(self, host: str) -> str:
        """What it is and does."""
        state = _STATES[self.state][0] if self.state in _STATES else self.state
        calls = ", called by ".join(self.calls) or self.kernel_function
        where = f" in {calls}" if calls and self.state not in ("dead", "stopped") else ""
        phase = f" (phase {self.phase})" if self.phase else ""
        return f"rank {self.rank} on {host}, process {self.process}, {state}{where}{phase}"


class Waiting(msgspec.Struct, frozen=True):
    """Ranks of a node that wait in the same function of MPI."""

    mpi_call: str
    count: int
    first_rank: int


class ProgressLine(msgspec.Struct, frozen=True, tag_field="kind", tag="progress"):
    """A rank of that node makes progress."""

    host: str


class StallLine(msgspec.Struct, frozen=True, tag_field="kind", tag="stall"):
    """What a node says of its ranks."""

    host: str
    since_s: float
    ranks: int = 0
    suspects: list[Suspect] = []
    suspects_in_all: int = 0
    waiting: list[Waiting] = []


_STATES = {
    "dead": ("is dead", "see why it died: the launch's log, and the kernel's log of that node"),
    "stopped": ("is stopped by a signal", "see who stopped it: a batch system, a debugger, a person"),
    "uninterruptible": ("waits in the kernel", "look at the storage that it waits for"),
    "sleeping": ("waits outside MPI", "look at what that call waits for"),
    "running": ("computes", "if that takes so long rightly, raise WEIR_STALL_LIMIT; else it is a defect"),
}
"""Each state in words, and what to do; the surest culprit first."""


@dataclass(frozen=True)
class Stall:
    """Who holds up a launch, as far as that is known."""

    reason: str
    suggestion: str
    rank: int | None = None
    host: str | None = None


class Signs:
    """Follows the file of a launch's standard error for what ranks tell of their progress."""

    def __init__(self, stderr: BinaryIO) -> None:
        self._file = stderr
        self._begun = b""
        self._last: dict[str, StallLine | None] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def came(self) -> bool:
        """Has a rank told of progress since the last call?"""
        *whole, self._begun = (self._begun + self._file.read()).split(b"\n")
        told = [sign for line in whole for sign in _decoded(line)]
        for sign in told:
            self._last[sign.host] = sign if isinstance(sign, StallLine) else None
        return any(isinstance(sign, ProgressLine) for sign in told)

    @property
    def stalls(self) -> tuple[StallLine, ...]:
        """The last word of each node that has told of a stall, and of no progress since."""
        return tuple(line for line in self._last.values() if line is not None)


def _decoded(line: bytes) -> Iterator[ProgressLine | StallLine]:
    if is_sign(line):
        with contextlib.suppress(msgspec.DecodeError):
            yield msgspec.convert(decode_json(line), ProgressLine | StallLine)


def judge(lines: Sequence[StallLine], ranks_of_host: Mapping[str, Sequence[int]]) -> Stall:
    """Who holds up the launch. `ranks_of_host` are all its ranks."""
    silent = {
        host: ranks for host, ranks in ranks_of_host.items() if host not in {line.host for line in lines}
    }
    suspects = sorted(
        ((suspect, line.host) for line in lines for suspect in line.suspects),
        key=lambda pair: (pair[0].gravity, pair[0].rank),
    )
    if silent:
        return _of_silent(silent, lines)
    if suspects:
        return _of_suspects(suspects, lines)
    return _of_waiting(lines)


def _of_suspects(suspects: Sequence[tuple[Suspect, str]], lines: Sequence[StallLine]) -> Stall:
    first, host = suspects[0]
    named = [suspect.words(where) for suspect, where in suspects[:_MOST_NAMED]]
    more = sum(line.suspects_in_all for line in lines) - len(named)
    if more > 0:
        named.append(f"{count_words(more, 'more rank')} wait for no other rank")
    suggestion = _STATES[first.state][1] if first.state in _STATES else ""
    return Stall("; ".join([*named, *_waiting_words(lines)]), suggestion, first.rank, host)


def _of_silent(silent: Mapping[str, Sequence[int]], lines: Sequence[StallLine]) -> Stall:
    named = [f"{host} ({_ranks_words(ranks)})" for host, ranks in list(silent.items())[:_MOST_NAMED]]
    if len(silent) > _MOST_NAMED:
        named.append(count_words(len(silent) - _MOST_NAMED, "more node"))
    host, ranks = next(iter(silent.items()))
    alone = len(silent) == 1
    return Stall(
        "; ".join([f"nothing was heard from {', '.join(named)}", *_waiting_words(lines)]),
        "see whether the node is up, and whether somebody stopped its ranks",
        ranks[0] if alone and len(ranks) == 1 else None,
        host if alone else None,
    )


def _of_waiting(lines: Sequence[StallLine]) -> Stall:
    return Stall(
        "; ".join(["all ranks wait for each other", *_waiting_words(lines)]),
        "a message was lost, or the ranks do not make the same calls: look at the network and at the MPI",
    )


def _waiting_words(lines: Sequence[StallLine]) -> Iterable[str]:
    """The functions in which ranks wait, the rarest first: there may be the odd one."""
    by_call: dict[str, list[Waiting]] = {}
    for line in lines:
        for group in line.waiting:
            by_call.setdefault(group.mpi_call, []).append(group)
    counts = {call: sum(group.count for group in groups) for call, groups in by_call.items()}
    for call in sorted(counts, key=lambda name: (counts[name], name))[:_MOST_NAMED]:
        first = min(group.first_rank for group in by_call[call])
        if counts[call] == 1:
            yield f"rank {first} waits in {call}"
        else:
            yield f"{counts[call]} ranks wait in {call}, the first is rank {first}"


def _ranks_words(ranks: Sequence[int]) -> str:
    if len(ranks) == 1:
        return f"rank {ranks[0]}"
    return f"{count_words(len(ranks), 'rank')}, {min(ranks)} to {max(ranks)}"
