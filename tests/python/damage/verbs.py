"""A verb in this process, with bounds of time and memory, and what it said."""

import contextlib
import io
import signal
import sys
from collections.abc import Iterator
from types import FrameType

from weir.cli._app import build_app
from weir.cli._streams import make_streams_printable

APP = build_app()


def weir(*arguments: str) -> int:
    """The verb; its exit code."""
    try:
        APP(list(arguments))
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def speak(*arguments: str, seconds: int) -> tuple[int, str]:
    """The verb's exit code and all that it printed. Raises TimeoutError after so many seconds."""
    said = io.BytesIO()
    before = sys.stdout, sys.stderr
    screen = io.TextIOWrapper(said, "utf-8", write_through=True)
    sys.stdout = sys.stderr = screen
    make_streams_printable()
    try:
        with _at_most(seconds, " ".join(arguments)):
            code = weir(*arguments)
    finally:
        sys.stdout, sys.stderr = before
        text = said.getvalue().decode()
        screen.close()
    return code, text


@contextlib.contextmanager
def _at_most(seconds: int, what: str) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"{what} took more than {seconds} s")

    usual = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, usual)
