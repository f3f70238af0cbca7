"""Runs the program, and writes down what only its launcher knows."""

import contextlib
import ctypes
import json
import os
import select
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from errno import EDQUOT, ENOSPC
from pathlib import Path
from typing import Any

from weir.errors import WeirError
from weir.files.plain import open_new, open_to_change
from weir.files.walk import make_own_folder
from weir.files.write import share_files
from weir.preload import passed_on
from weir.redaction import Redactor
from weir.trace.record.layouts import layouts_of
from weir.trace.record.processes import Ended, become_subreaper, moved_by, wait_for_last
from weir.trace.record.program import cannot_begin, check_command
from weir.trace.record.recorder import HEAD, Recording, find_recorder
from weir.trace.redact import redact_folder

PASSED_ON = frozenset(
    {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2}
)
"""Signals that end programs, and those by which batch systems warn them."""
_BY_THE_KERNEL = 128  # SI_KERNEL: of the terminal
_SET_DEATH_SIGNAL = 1
_A_MOMENT_S = 0.05
"""For a signal to reach the others of the group."""


@dataclass
class Signals:
    """Blocked here while the program runs, and taken one by one; those for `weir trace` alone are passed on.

    The terminal's signals reach all processes of the group, the program too, and so do those that are sent to
    the group, as by `timeout` and a shell's `kill %1`. A signal does not say which it is. So a monitor
    process in the same group reports the signals that it receives: the program has received those as well.
    """

    before: set[int]
    """What was blocked: the program begins with it."""
    _monitor: int = 0
    _seen: int = -1

    def wait_for(self, program: int) -> None:
        """Wait until this child has ended, without reaping it, and pass on signals for this process alone."""
        while os.waitid(os.P_PID, program, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            came = signal.sigwaitinfo(PASSED_ON | {signal.SIGCHLD})
            if came.si_signo != signal.SIGCHLD and not self._has_it(came, program):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(program, came.si_signo)

    def stop_monitor(self) -> None:
        """End the monitor process."""
        if self._monitor:
            os.kill(self._monitor, signal.SIGKILL)
            os.waitpid(self._monitor, 0)
            os.close(self._seen)
            self._monitor, self._seen = 0, -1

    def start_monitor(self) -> None:
        """Without a monitor, where no process can be made, all signals are passed on."""
        seen, tell = os.pipe()
        try:
            self._monitor = os.fork()
        except OSError:
            os.close(seen)
            os.close(tell)
            return
        if self._monitor == 0:
            _tell_signals(tell)
        os.close(tell)
        self._seen = seen

    def _has_it(self, came: signal.struct_siginfo, program: int) -> bool:
        """Did the signal also reach the program, or come from it?"""
        to_all = self._reached_group(came.si_signo)
        if to_all:  # the sender may have signalled this process before its group, as `timeout` does
            signal.sigtimedwait({came.si_signo}, _A_MOMENT_S)
        return to_all or came.si_code == _BY_THE_KERNEL or came.si_pid == program

    def _reached_group(self, number: int) -> bool:
        while self._seen >= 0 and select.select([self._seen], [], [], _A_MOMENT_S)[0]:
            told = os.read(self._seen, 1)
            if not told or told[0] == number:
                return bool(told)
        return False


@contextmanager
def signals_passed_on() -> Iterator[Signals]:
    """While the block lasts, no signal of PASSED_ON ends or interrupts this process."""
    signals = Signals(signal.pthread_sigmask(signal.SIG_BLOCK, PASSED_ON | {signal.SIGCHLD}))
    signals.start_monitor()
    try:
        yield signals
    finally:
        signals.stop_monitor()
        while signal.sigtimedwait(PASSED_ON, 0) is not None:
            pass  # for a program that has ended
        signal.pthread_sigmask(signal.SIG_SETMASK, signals.before)


def _tell_signals(tell: int) -> None:
    """The monitor process, which ends with its parent."""
    try:
        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        while True:
            os.write(tell, bytes([signal.sigwait(PASSED_ON)]))
    finally:
        os._exit(0)


def record(command: Sequence[str], recording: Recording) -> int:
    """Run the command under the recorder, with this process's input and output; its exit status, or 128 and
    the signal that killed it. Raises WeirError before it has run if it cannot be recorded."""
    check_command(command)
    environment = recording.environment(find_recorder(recording.files_only), os.environ)
    command = passed_on(command, environment)
    head = Head(recording.folder, command)
    try:
        _make(recording.folder)
        head.begin()
    except OSError as error:
        head.tell(error)
    with signals_passed_on() as signals:
        try:
            ended = _run(command, environment, signals)
        except WeirError:
            head.forget()
            raise
        head.end(ended)
        if recording.redact:
            _redact(recording.folder)
        with suppress(OSError, WeirError):
            share_files(recording.folder)
    return ended.exit_status


def _redact(folder: Path) -> None:
    """The program's exit status counts, so a failure is reported, and is no error."""
    try:
        redact_folder(folder, Redactor())
    except (OSError, WeirError) as error:
        why = f"not all names in '{folder}' could be replaced by hashes ({error}): do not give the trace away"
        print(f"weir: {why}", file=sys.stderr, flush=True)


def _make(folder: Path) -> None:
    """Raises OSError where there is no space, and WeirError for what the user can correct."""
    try:
        make_own_folder(folder)
        used = any(folder.iterdir())
    except OSError as error:
        if error.errno in (ENOSPC, EDQUOT):
            raise
        raise WeirError(
            f"cannot use '{folder}' for the trace", str(error.strerror), "name another with -o"
        ) from None
    if used:
        raise WeirError(
            f"'{folder}' is not empty", "a trace is a folder of its own", "name another with -o, or remove it"
        )


def _run(command: Sequence[str], environment: dict[str, str], signals: Signals) -> Ended:
    sys.stdout.flush()
    become_subreaper()
    try:
        # Descriptors that we were given are the program's too; Python's own are closed by the system.
        process = os.posix_spawnp(
            command[0],
            list(command),
            environment,
            setsigmask=signals.before,
            setsigdef=[signal.SIGPIPE, signal.SIGXFSZ],  # which Python ignores
        )
    except OSError as error:
        raise cannot_begin(command[0], error) from None
    signals.wait_for(process)
    moved = moved_by(process)  # before anybody has waited for it
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    signals.stop_monitor()
    orphans, running = wait_for_last()
    return Ended(process, status, moved, running, orphans)


def default_folder(command: Sequence[str]) -> Path:
    """`trace-APP`, or the first of `trace-APP-2`, … that is not there."""
    name = f"trace-{Path(_application(command)).name}"
    folder, number = Path(name), 1
    while folder.exists():
        number += 1
        folder = Path(f"{name}-{number}")
    return folder


def _application(command: Sequence[str]) -> str:
    """The last word that is a program: behind a launcher, the one that it starts."""
    programs = [
        word for word in command[1:] if "/" in word and os.access(word, os.X_OK) and Path(word).is_file()
    ]
    return programs[0] if programs else (command[0] if command else "program")


_WORTH_TELLING = 2**16
"""Bytes that an orphan has moved."""
_ROOM = 512
"""Bytes reserved for what is known only at the end, since the program may fill the disk."""


@dataclass
class Head:
    """What only the launcher knows, as a file in the trace's folder: written before the program begins, and
    again when it has ended. A full disk is reported, and is no error."""

    folder: Path
    command: Sequence[str]
    began_real_s: float = field(default_factory=time.time)
    _told: bool = False

    def begin(self) -> None:
        """Reserve the space, so that a full disk is reported before the program runs."""
        try:
            with os.fdopen(open_new(self.folder / HEAD), "wb") as file:
                file.write(self._text({}) + b" " * _ROOM)
        except (OSError, WeirError) as error:
            self.tell(error)

    def forget(self) -> None:
        """No program has begun: remove the file, and the folder if it is empty."""
        with contextlib.suppress(OSError):
            (self.folder / HEAD).unlink()
            self.folder.rmdir()

    def end(self, ended: Ended) -> None:
        """The program has ended."""
        facts: dict[str, Any] = {
            "ended_real_s": time.time(),
            "exit_status": ended.exit_status,
            "killed_by": max(0, -ended.status),
            "process": ended.process,
            "host": os.uname().nodename,
        }
        if ended.moved is not None:
            facts |= {"kernel_read": ended.moved.read, "kernel_written": ended.moved.written}
        orphans = [one for one in ended.orphans if one.moved.read + one.moved.written >= _WORTH_TELLING]
        facts |= {
            "orphans": [one.process for one in orphans],
            "orphans_read": [one.moved.read for one in orphans],
            "orphans_written": [one.moved.written for one in orphans],
            "orphans_programs": [one.program for one in orphans],
        }
        if ended.running:
            facts["running"] = [one.process for one in ended.running]
            facts["running_programs"] = [one.program for one in ended.running]
        try:
            self._change(self._text(facts))
        except (OSError, WeirError) as error:
            self.tell(error)
            return
        layouts = layouts_of(self.folder)
        if layouts:
            try:
                self._change(self._text(facts | layouts))
            except (OSError, WeirError):  # the disk is full: what was there has its room
                with suppress(OSError, WeirError):
                    self._change(self._text(facts))

    def _change(self, text: bytes) -> None:
        # In place: another process may take blocks as soon as they are freed.
        with os.fdopen(open_to_change(self.folder / HEAD), "r+b") as file:
            file.write(text)
            file.truncate()

    def tell(self, error: OSError | WeirError) -> None:
        """Report once that the trace cannot be written; the program runs, and keeps its exit status."""
        if not self._told:
            self._told = True
            why = error.why if isinstance(error, WeirError) else error.strerror
            print(
                f"weir: the trace's folder '{self.folder}' cannot be written ({why}): not all is "
                "recorded, or nothing; the program runs all the same. To record it, name a folder that has "
                "room with -o",
                file=sys.stderr,
                flush=True,
            )

    def _text(self, facts: dict[str, Any]) -> bytes:
        known = {"command": [_text_of(word) for word in self.command], "began_real_s": self.began_real_s}
        return json.dumps(known | facts).encode()


def _text_of(word: str) -> str:
    r"""Bytes that are no UTF-8 as `\xff`: JSON has no other way."""
    return os.fsencode(word).decode("utf-8", "backslashreplace")
