"""A weir-core that is stopped in the middle of its work."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass

from .conftest import children_of
from .real_core import Done, core_command, decoded


@dataclass(frozen=True)
class Patience:
    """How long a test waits, in seconds: at most for the work to begin; then, before it stops it; and at
    most for its end."""

    begin_s: float
    before_s: float
    end_s: float


def started(*arguments: str, ranks: int) -> "subprocess.Popen[str]":
    """A weir-core that runs, with pipes for what it says."""
    command = core_command(*arguments, ranks=ranks)
    return subprocess.Popen(
        command.argv,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **command.env},
    )


def interrupted(
    *arguments: str,
    ranks: int,
    begun: Callable[[], bool],
    patience: Patience,
    stop: signal.Signals = signal.SIGINT,
) -> Done:
    """Start weir-core, and send its ranks the signal once it has `begun`; what it said, and how it ended."""
    process = started(*arguments, ranks=ranks)
    try:
        _wait(process, begun, patience)
        # The ranks themselves: mpirun would kill those that take long to end, in the middle of removing.
        for rank in [process.pid] if ranks == 1 else children_of(process.pid):
            os.kill(rank, stop)
        out, talk = process.communicate(timeout=patience.end_s)
    finally:
        _end(process)
    return decoded(subprocess.CompletedProcess(process.args, process.returncode, out, talk))


def _wait(process: "subprocess.Popen[str]", begun: Callable[[], bool], patience: Patience) -> None:
    deadline = time.monotonic() + patience.begin_s
    while not begun():
        assert time.monotonic() < deadline and process.poll() is None, "it never began"
        time.sleep(0.02)
    time.sleep(patience.before_s)
    assert process.poll() is None, "it was over too soon"


def _end(process: "subprocess.Popen[str]") -> None:
    """Nothing of it stays, whatever the test came to; mpirun ends its ranks if it is asked."""
    if process.poll() is None:
        process.terminate()
        try:
            process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate(timeout=5)
