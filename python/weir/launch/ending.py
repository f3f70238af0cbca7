"""What ended a launch that did not come to its own end: how its process ended, what was said of it, and
whether the kernel killed for lack of memory.

Launchers of MPI pass on a rank's end in words of their own; only those words say which rank it was.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from weir.files.plain import read_plain
from weir.launch.absent import Absent, absent_program
from weir.launch.process import Exit, signal_name
from weir.launch.stall import is_sign

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
    absent: Absent | None = None
    """The program that a node does not have."""

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


def ending_of(how: Exit, stderr: Sequence[str]) -> Ending:
    """How it ended, by the exit of the launcher's process and the lines that were said last."""
    text = "\n".join(stderr)
    own = [line[:LONGEST_LINE] for line in causes_in(stderr)]
    last_lines = tuple(own[-LINES:])
    if absent := absent_program(text):
        return Ending(how, last_lines=last_lines, absent=absent)
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


def stderr_tail(path: Path) -> list[str]:
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


# Lines on standard error that say nothing of what ended a launch: the launcher's report of an end, which is
# said in words of ours; warnings of MPI and its transports, which come at the start of every launch on some
# machines; and the frames of a stack.
_OF_THE_LAUNCHER = re.compile(
    r"exited on signal|EXIT STRING|BAD TERMINATION|PID \d+ RUNNING|EXIT CODE:|KILLED BY SIGNAL|CLEANING UP"
    r"|YOU CAN IGNORE|This typically refers|Please see the FAQ|^Primary job +terminated|^a non-zero exit code"
    r"|^Process name:|^Exit code:|^mpirun detected that one or more|^thus causing the job"
    r"|\*\*\* +(reported by process|on (a NULL )?communicator|Unknown error|An error occurred in MPI_Init)"
    r"|\*\*\* +(MPI_ERRORS_ARE_FATAL|and potentially your MPI job)"
)
_WARNING = re.compile(
    r"\bWARN(ING)?\b|\bwarning:|(UCX|libfabric):? +(INFO|DEBUG|DIAG)\b"
    r"|sent help message help-|^Set MCA parameter .*help|\] Set MCA parameter .*help"
    r"|ORTE_ERROR_LOG: Data unpack would read past end"
)
_STACK = re.compile(
    r"\*\*\* (Process received signal|End of error message) \*\*\*|^=+ backtrace\b"
    r"|\] Signal(: | code: )|\] (Failing at address: |Associated errno: )|Caught signal \d+ \("
    r"|^(\[[^]]+\] )?(\[ ?\d+\]|\d+) +\S.*\[0x[0-9a-f]+\]$"
)
_NO_DAEMON, NOT_STARTED = "unable to reliably start one or more daemons", "mpirun could not start its daemon"
"""Open MPI's page of advice where a node cannot be reached, and what it comes to."""
_PAGES = {
    _NO_DAEMON: NOT_STARTED,
    "at least one MPI process is unreachable": "MPI found no way from one rank to another",
}
"""Pages of advice, by words in them."""
_RULE = re.compile(r"^-{20,}$")
"""Open MPI's launcher writes one before and one behind each of its messages."""


def causes_in(stderr: Sequence[str]) -> Iterator[str]:
    """The other lines."""
    for part in _parts([line.strip() for line in stderr]):
        yield from (line for line in part if _may_tell(line))


def _may_tell(line: str) -> bool:
    noise = any(pattern.search(line) for pattern in (_OF_THE_LAUNCHER, _WARNING, _STACK))
    is_result = line.startswith('{"schema":')  # of a launch that was ended in the middle of one
    return (
        not noise
        and not is_result
        and not is_sign(line.encode())
        and any(character.isalnum() for character in line)
    )


def _parts(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    """Lines without the messages, from rule to rule, that are warnings as a whole."""
    at = 0
    while at < len(lines):
        end = next((i for i in range(at + 1, len(lines)) if _RULE.match(lines[i])), None)
        if _RULE.match(lines[at]) and end is not None:
            page = "\n".join(lines[at + 1 : end])
            if meant := [meaning for words, meaning in _PAGES.items() if words in page]:
                yield meant
            elif not any(_WARNING.search(line) for line in lines[at + 1 : end]):
                yield lines[at + 1 : end]
            at = end + 1
        else:
            yield lines[at : at + 1]
            at += 1


_COUNTER = "oom_kill"


@dataclass(frozen=True)
class MemoryKills:
    """Processes killed so far, in this process's control group and on this host; None where nobody counts."""

    group: int | None = None
    host: int | None = None

    def since(self, before: "MemoryKills") -> str:
        """What happened in between, in words; empty where nothing is known to have."""
        for now, then, where in (
            (self.group, before.group, "of this control group"),
            (self.host, before.host, "on this host"),
        ):
            if now is not None and then is not None and now > then:
                count = now - then
                what = "a process" if count == 1 else f"{count} processes"
                return f"the kernel killed {what} {where} for lack of memory meanwhile"
        return ""


def memory_kills(root: Path = Path("/")) -> MemoryKills:
    """The counts now: of memory.events (control groups, version 2) or memory.oom_control (version 1), and of
    /proc/vmstat."""
    return MemoryKills(_of_group(root), _count(root / "proc/vmstat"))


def _of_group(root: Path) -> int | None:
    groups = root / "sys/fs/cgroup"
    for line in _text(root / "proc/self/cgroup").splitlines():
        number, controllers, path = line.split(":", 2)
        inside = path.lstrip("/")
        if number == "0" and not controllers:
            file = groups / inside / "memory.events"
        elif "memory" in controllers.split(","):
            file = groups / "memory" / inside / "memory.oom_control"
        else:
            continue
        found = _count(file)
        if found is not None:
            return found
    return None


def _count(file: Path) -> int | None:
    for line in _text(file).splitlines():
        name, _, value = line.partition(" ")
        if name == _COUNTER and value.strip().isdigit():
            return int(value)
    return None


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
