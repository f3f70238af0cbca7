"""Runs one command to its end, line by line, and leaves no process behind; turns signals to Weir into an
exception, so that everything is put in order on the way out."""

import contextlib
import ctypes
import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from weir.errors import ExitCode, Interrupted
from weir.files.plain import open_plain, open_to_append
from weir.files.refusals import no_room_told
from weir.launch.stall import Signs, StallLine

PATIENCE_S = 5.0
"""How long a launch asked to stop may take before it is killed."""
_CHUNK_BYTES = 65536
_GLANCE_S = 1.0
_SET_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG, prctl(2)


@dataclass(frozen=True)
class Exit:
    """How a process ended: by itself with a code, or by a signal; and whether Weir ended it for its
    silence."""

    code: int | None
    signal: int | None = None
    silent_for_s: float | None = None
    stalls: tuple[StallLine, ...] = ()
    """What its ranks had told of each other by then."""

    def __str__(self) -> str:
        if self.silent_for_s is not None:
            return f"was silent for {self.silent_for_s:.0f} s and ended by Weir"
        if self.signal is not None:
            return f"was killed by signal {self.signal} ({signal_name(self.signal)})"
        return f"ended with exit code {self.code}"


def execute(
    argv: Sequence[str],
    env: Mapping[str, str],
    *,
    stderr_path: Path,
    silence_limit_s: Callable[[], float],
    on_line: Callable[[bytes], None],
) -> Exit:
    """Run the command in a session of its own, calling `on_line` for each line of its standard output. It is
    ended if it gives no line and no sign of progress (weir.launch.stall) for the limit, which may change.

    If the calling process dies, the command is asked to end (SIGTERM); if anything is raised here, it is
    made to. Raises WeirError where standard error has no file to go to.
    """
    with no_room_told(stderr_path, ExitCode.CASE_FAILED):
        stderr = os.fdopen(open_to_append(stderr_path), "ab")
        signs = Signs(open_plain(stderr_path))
    with stderr:
        process = subprocess.Popen(
            argv,
            env={**os.environ, **env},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            start_new_session=True,
            preexec_fn=_end_with_parent(),  # noqa: PLW1509 - called before any thread that could hold a lock
        )
    assert process.stdout is not None
    try:
        with signs, process.stdout as stdout:
            in_time = _pump(process, stdout.fileno(), silence_limit_s, on_line, signs)
        if not in_time:
            end_session(process)
            return Exit(process.returncode, silent_for_s=silence_limit_s(), stalls=signs.stalls)
        process.wait()
    finally:
        end_session(process)
    code = process.returncode
    return Exit(None, -code) if code < 0 else Exit(code)


def _pump(
    process: subprocess.Popen[bytes],
    descriptor: int,
    silence_limit_s: Callable[[], float],
    on_line: Callable[[bytes], None],
    signs: Signs,
) -> bool:
    """Hand over lines until the end of the stream; False if it was silent for too long."""
    rest = b""
    last_heard = time.monotonic()
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        while time.monotonic() - last_heard < silence_limit_s():
            # A process may die and leave the stream open in the hands of one that it started.
            dead = process.poll() is not None
            if selector.select(min(_GLANCE_S, silence_limit_s())):
                chunk = os.read(descriptor, _CHUNK_BYTES)
                dead = not chunk
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    on_line(line)
                last_heard = time.monotonic()
            elif signs.came():
                last_heard = time.monotonic()
            if dead:
                if rest:
                    on_line(rest)
                return True
    return False


def end_session(process: subprocess.Popen[bytes]) -> None:
    """End the process and all of its session: first ask, then kill. MPI ranks form process groups of their
    own, so that signalling the group of the launcher would miss them."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE_S)
    _signal_session(process.pid, signal.SIGTERM)
    deadline = time.monotonic() + PATIENCE_S
    while (left := _session_members(process.pid)) and time.monotonic() < deadline:
        time.sleep(0.02)
    if left:
        _signal_session(process.pid, signal.SIGKILL)
    if process.poll() is None:
        process.kill()
        process.wait()


def _signal_session(session: int, number: int) -> None:
    for pid in _session_members(session):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _session_members(session: int) -> list[int]:
    """Living processes of that session: field 6 of /proc/PID/stat (proc(5)); the fields before it are
    counted from the last parenthesis, since the program's name may hold anything."""
    members = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError, ValueError):
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == session and fields[0] not in "ZX":
                members.append(int(entry.name))
    return members


def _end_with_parent() -> Callable[[], None]:
    """For the child, before it becomes the command: have the kernel send it SIGTERM when the parent dies."""
    library = ctypes.CDLL(None)
    parent = os.getpid()

    def arrange() -> None:
        if hasattr(library, "prctl"):
            library.prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)

    return arrange


def signal_name(number: int) -> str:
    """SIGKILL and the like."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"


STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def signals_interrupt() -> Iterator[None]:
    """Inside, the first such signal raises Interrupted; further ones are ignored while things are put in
    order."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        for each in STOPPING:
            signal.signal(each, signal.SIG_IGN)
        raise Interrupted(number)

    before = {number: signal.signal(number, interrupt) for number in STOPPING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
