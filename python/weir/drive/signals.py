"""SIGINT, SIGTERM and SIGHUP as an exception, so that everything is put in order on the way out."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

from weir.errors import Interrupted

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
