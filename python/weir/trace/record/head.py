"""What only the launcher of a program knows, in a file beside what the recorder writes."""

import contextlib
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from weir.errors import WeirError
from weir.files.plain import open_new, open_to_change

from .ended import Ended
from .recorder import HEAD

_ROOM = 512
"""Bytes for what is known only at the end: they are taken from the disk before the program can fill it."""


@dataclass
class Head:
    """Written before the program begins, and again when it has ended. A full disk is told, and no error."""

    folder: Path
    command: Sequence[str]
    began_real_s: float = field(default_factory=time.time)
    _told: bool = False

    def begin(self) -> None:
        """Takes the room, so that a folder without any is known before the program runs."""
        try:
            with os.fdopen(open_new(self.folder / HEAD), "wb") as file:
                file.write(self._text({}) + b" " * _ROOM)
        except (OSError, WeirError) as error:
            self.tell(error)

    def forget(self) -> None:
        """No program has begun: the folder is as it was, or gone."""
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
        if ended.running:
            facts["running"] = [one.process for one in ended.running]
            facts["running_programs"] = [one.program for one in ended.running]
        text = self._text(facts)
        try:
            # In place: blocks that a file has given back may be another's at once.
            with os.fdopen(open_to_change(self.folder / HEAD), "r+b") as file:
                file.write(text)
                file.truncate()
        except (OSError, WeirError) as error:
            self.tell(error)

    def tell(self, error: OSError | WeirError) -> None:
        """The program hears of no trouble that is the trace's alone: it runs, and keeps its exit status."""
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
