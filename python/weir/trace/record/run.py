"""Runs the program, and writes down what only its launcher knows."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from errno import EDQUOT, ENOSPC
from pathlib import Path

from weir.errors import WeirError
from weir.files.share import share_files
from weir.files.walk import make_own_folder
from weir.redaction import Redactor
from weir.trace.redact import redact_folder

from .head import Head
from .kernel import Moved, adopt_orphans, bury_orphans, wait_for
from .program import check_command
from .recorder import Recording, find_recorder


def record(command: Sequence[str], recording: Recording) -> int:
    """Run the command under the recorder, with this process's input and output; its exit status, or 128 and
    the signal that killed it. Raises WeirError before it has run if it cannot be recorded."""
    check_command(command)
    environment = recording.environment(find_recorder(recording.files_only), os.environ)
    command = recording.passed_on(command, environment)
    head = Head(recording.folder, command)
    try:
        _make(recording.folder)
        head.begin()
    except OSError as error:
        head.tell(error)
    try:
        process, status, moved = _run(command, environment)
    except WeirError:
        head.forget()
        raise
    head.end(process, status, moved)
    if recording.redact:
        _redact(recording.folder)
    with suppress(OSError, WeirError):
        share_files(recording.folder)
    return status if status >= 0 else 128 - status


def _redact(folder: Path) -> None:
    """The program's status counts, so that a failure is told, and no error."""
    try:
        redact_folder(folder, Redactor())
    except (OSError, WeirError) as error:
        why = f"not all names in '{folder}' could be replaced by hashes ({error}): do not give the trace away"
        print(f"weir: {why}", file=sys.stderr, flush=True)


def _make(folder: Path) -> None:
    """Raises OSError where there is no room, and WeirError for what the user can mend at once."""
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


def _run(command: Sequence[str], environment: dict[str, str]) -> tuple[int, int, Moved | None]:
    """The process that was started, its exit status or minus the signal that killed it, and what it has moved
    by the kernel's count."""
    sys.stdout.flush()
    adopt_orphans()
    try:
        # Descriptors that we were given are the program's too; Python's own are closed by the system.
        program = subprocess.Popen(command, env=environment, close_fds=False)
    except OSError as error:
        raise WeirError(
            f"cannot run '{command[0]}'", str(error.strerror), "check that it is a program of this machine"
        ) from None
    with program, _signals_passed_on(program):
        moved = wait_for(program.pid)
        status = program.wait()
    orphans = bury_orphans()
    if moved is not None:
        moved = Moved(moved.read + orphans.read, moved.written + orphans.written)
    return program.pid, status, moved


@contextmanager
def _signals_passed_on(program: "subprocess.Popen[bytes]") -> Iterator[None]:
    """The program gets the terminal's signals itself; those that are meant for us alone are passed on."""
    before = {
        signal.SIGINT: signal.signal(signal.SIGINT, signal.SIG_IGN),
        signal.SIGTERM: signal.signal(signal.SIGTERM, lambda number, _: program.send_signal(number)),
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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
