"""Output that cannot be written: the reader of a pipe has gone, the disk behind a stream is full, the stream
is closed. A verb that only prints ends there; one that measures goes on, and tells it."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from weir.errors import WeirError
from weir.files.refusals import how_to_get_room

LOG = "weir.log"
"""In a run's logs: what could not be said elsewhere."""


class OutputLost(Exception):
    """Standard output cannot be written any more."""

    def __init__(self, error: OSError) -> None:
        super().__init__(error.strerror or str(error))
        self.advice = how_to_get_room(error)
        self.reader_gone = isinstance(error, BrokenPipeError)


class LastingStream:
    """A text stream that fails once at most: after that, what is written to it goes nowhere. With `silently`
    not even once; `lost` says why it failed."""

    def __init__(self, below: TextIO, *, silently: bool) -> None:
        self.below = below
        self.lost: OSError | None = None
        self._silently = silently

    def write(self, text: str) -> int:
        """Write the text. Raises OutputLost where that fails for the first time. An empty text is not
        written: by one the command-line library only asks what kind of stream this is, and it drops the
        error."""
        if text:
            with self._losses():
                self.below.write(text)
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write the lines, one behind the other."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Hand all over. Raises OutputLost as `write`."""
        with self._losses():
            self.below.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.below, name)

    @contextlib.contextmanager
    def _losses(self) -> Iterator[None]:
        try:
            if self.lost is None:
                yield
            else:
                with contextlib.suppress(OSError):
                    yield
        except OSError as error:
            self.lost = error
            # What is still in the buffer must not fail again when Python ends.
            with contextlib.suppress(OSError):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, self.below.fileno())
                os.close(nowhere)
            if not self._silently:
                raise OutputLost(error) from error


def open_closed_streams() -> None:
    """Give standard streams that were closed at the start a place, so that no file of Weir's own gets their
    numbers. Standard output then fails when it is written to, as it would have."""
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDONLY if name == "stdout" else os.O_RDWR)
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(descriptor, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - for good


@contextlib.contextmanager
def results_told(run: Path) -> Iterator[None]:
    """Inside, results are printed of a run that is over. Where that fails it is told, on standard error and
    in the run's log, and nothing else changes."""
    lines = []
    try:
        yield
        sys.stdout.flush()
    except OutputLost as lost:
        text = f"the results could not be printed ({lost}); they are whole in '{run}': `weir show {run}`"
        print(f"weir: {text}", file=sys.stderr)
        lines.append(text)
    unsaid = getattr(sys.stderr, "lost", None)
    if unsaid is not None:
        lines.append(f"standard error could not be written ({unsaid.strerror or unsaid})")
    if lines:
        with contextlib.suppress(OSError, WeirError):
            _append(run / "logs" / LOG, "".join(f"{line}\n" for line in lines))


def _append(path: Path, text: str) -> None:
    from weir.files.plain import open_to_append  # most verbs have nothing to append

    with os.fdopen(open_to_append(path), "ab") as log:
        log.write(text.encode("utf-8", "backslashreplace"))
