"""An append-only file of JSON lines that survives being killed at any moment."""

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import msgspec

from weir.bounded_parsing import decode_json
from weir.errors import ExitCode
from weir.files.plain import open_to_append, open_to_change, read_plain
from weir.files.refusals import no_room_told
from weir.units import count_words


class LineWriter:
    """Appends JSON objects to a file, one a line.

    A line is handed to the kernel whole and at once, so that it survives the death of this process. It
    reaches the disk at the next `sync`, which is for moments when nothing is being timed: a sync in the
    middle of a timed write to the same storage would be measured too.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with no_room_told(path):
            self._descriptor = open_to_append(path)

    def append(self, line: dict[str, Any]) -> None:
        """Write one line. Raises WeirError where the file cannot take it; of the line nothing stays, if the
        file system lets it be cut off, which else `repair` does."""
        whole = memoryview(msgspec.json.encode(line) + b"\n")
        rest = whole
        with no_room_told(self._path, ExitCode.CASE_FAILED):
            try:
                while rest:
                    rest = rest[os.write(self._descriptor, rest) :]
            except OSError:
                with contextlib.suppress(OSError):
                    size = os.fstat(self._descriptor).st_size
                    os.ftruncate(self._descriptor, size - (len(whole) - len(rest)))
                raise

    def sync(self) -> None:
        """Make every line written so far survive the death of the machine."""
        with no_room_told(self._path, ExitCode.CASE_FAILED):
            os.fsync(self._descriptor)

    def close(self) -> None:
        """Sync and close; may be called more than once."""
        if self._descriptor >= 0:
            self.sync()
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True)
class Damage:
    """A tail cut off a file: where it began and what it was (its first bytes)."""

    offset: int
    length_bytes: int
    excerpt: str

    def __str__(self) -> str:
        length = count_words(self.length_bytes, "byte")
        return f"cut off a damaged end of {length}, beginning with {self.excerpt!r}"


def repair(path: Path) -> Damage | None:
    """Cut off what follows the last whole JSON line of the file; None if nothing does. The file must not
    be in use."""
    content = read_plain(path)
    end = _end_of_whole_lines(content)
    if end == len(content):
        return None
    with os.fdopen(open_to_change(path), "r+b") as file:
        file.truncate(end)
        file.flush()
        os.fsync(file.fileno())
    excerpt = content[end : end + 60].decode(errors="replace")
    return Damage(end, len(content) - end, excerpt)


def _end_of_whole_lines(content: bytes) -> int:
    end = content.rfind(b"\n") + 1
    while end > 0:
        start = content.rfind(b"\n", 0, end - 1) + 1
        if decode(content[start:end]) is not None:
            return end
        end = start
    return 0


def decode(line: bytes) -> dict[str, Any] | None:
    """The JSON object of a line; None if it is anything else."""
    try:
        value = decode_json(line)
    except msgspec.DecodeError:
        return None
    return value if isinstance(value, dict) else None


MOST_NAMED = 10


def damaged_words(lines: Sequence[int]) -> str:
    """ "line 89 of samples.jsonl is left out, since it cannot be read"; of many, the first ones are named."""
    if len(lines) == 1:
        return f"line {lines[0]} of samples.jsonl is left out, since it cannot be read"
    named = ", ".join(map(str, lines[:MOST_NAMED]))
    more = f" and {len(lines) - MOST_NAMED:,} more" if len(lines) > MOST_NAMED else ""
    return f"lines {named}{more} of samples.jsonl are left out, since they cannot be read"
