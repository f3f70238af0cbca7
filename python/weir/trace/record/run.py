"""Runs the program, and writes down what only its launcher knows."""

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from errno import EDQUOT, ENOSPC
from pathlib import Path

from weir.errors import WeirError
from weir.files.walk import make_own_folder
from weir.files.write import share_files
from weir.redaction import Redactor
from weir.trace.redact import redact_folder

from .ended import Ended
from .head import Head
from .kernel import Moved, adopt_orphans, moved_by
from .program import check_command
from .recorder import Recording, find_recorder
from .refused import cannot_begin
from .running import wait_for_last
from .signals import Signals, signals_passed_on


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


def _run(command: Sequence[str], environment: dict[str, str], signals: Signals) -> Ended:
    sys.stdout.flush()
    adopt_orphans()
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
    signals.dismiss_witness()
    orphans, running = wait_for_last()
    if moved is not None:
        moved = Moved(moved.read + orphans.read, moved.written + orphans.written)
    return Ended(process, status, moved, running)


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
