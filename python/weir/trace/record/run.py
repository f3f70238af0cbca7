"""Runs the program, and writes down what only its launcher knows."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from weir.errors import WeirError

from .program import check_command
from .recorder import HEAD, Recording, find_recorder


def record(command: Sequence[str], recording: Recording) -> int:
    """Run the command under the recorder, with this process's input and output; its exit status, or 128 and
    the signal that killed it. Raises WeirError before it has run if it cannot be recorded."""
    check_command(command)
    environment = recording.environment(find_recorder(recording.files_only), os.environ)
    command = recording.passed_on(command, environment)
    _make(recording.folder)
    began = time.time()
    status = _run(command, environment)
    head = {
        "command": list(command),
        "began_real_s": began,
        "ended_real_s": time.time(),
        "exit_status": status,
    }
    (recording.folder / HEAD).write_bytes(msgspec.json.encode(head))
    return status


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        used = any(folder.iterdir())
    except OSError as error:
        raise WeirError(
            f"cannot use '{folder}' for the trace", str(error.strerror), "name another with -o"
        ) from None
    if used:
        raise WeirError(
            f"'{folder}' is not empty", "a trace is a folder of its own", "name another with -o, or remove it"
        )


def _run(command: Sequence[str], environment: dict[str, str]) -> int:
    """The program gets the terminal's signals itself; those that are meant for us alone are passed on."""
    sys.stdout.flush()
    with subprocess.Popen(command, env=environment) as program:
        before = {
            signal.SIGINT: signal.signal(signal.SIGINT, signal.SIG_IGN),
            signal.SIGTERM: signal.signal(signal.SIGTERM, lambda number, _: program.send_signal(number)),
        }
        try:
            status = program.wait()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
    return status if status >= 0 else 128 - status


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
