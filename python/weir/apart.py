"""Work that nobody depends on, in a process of its own: what ends that ends no more."""

import contextlib
import os
import signal
from collections.abc import Callable

from weir.errors import WeirError


def text_of_child(work: Callable[[], str]) -> str:
    """What `work` returns in a child, which says nothing on standard error. Raises WeirError where the child
    ended without: by a library that ends its process when memory is short, for example."""
    reading, writing = os.pipe()
    try:
        child = os.fork()
    except OSError as error:
        os.close(reading)
        os.close(writing)
        raise WeirError("no process could be started for it", str(error.strerror)) from None
    if child == 0:
        _work(work, reading, writing)
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as pipe:
            text = pipe.read()
    except KeyboardInterrupt:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise WeirError("interrupted") from None
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status != 0:
        how = f"it ended with {status}" if status > 0 else f"{signal.Signals(-status).name} ended it"
        raise WeirError("the process that looks at it has failed", f"{how}: is memory short, or bounded?")
    return text.decode("utf-8", "surrogateescape")


def _work(work: Callable[[], str], reading: int, writing: int) -> None:
    """In the child."""
    status = 1
    try:
        os.close(reading)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # libraries talk of their troubles before they end
        text = work().encode("utf-8", "surrogateescape")
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(text)
        status = 0
    finally:
        with contextlib.suppress(OSError):
            os._exit(status)
