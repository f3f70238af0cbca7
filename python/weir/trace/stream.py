"""Streams of records, mapped into memory."""

import os
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.errors import WeirError
from weir.files.plain import plain_descriptor
from weir.units import count_words

MAGIC = b"WEIRTRC1"
HEAD_PAGE = 4096
SMALL_BYTES = 65_536
"""Shorter streams are read, not mapped: a process may map about 65,000 files, and a trace may have more."""

HEAD = np.dtype(
    [
        ("magic", "S8"),
        ("head_bytes", "<u4"),
        ("record_bytes", "<u4"),
        ("process", "<u4"),
        ("thread", "<u4"),
        ("start_ticks", "<u8"),
        ("start_monotonic_ns", "<i8"),
        ("start_real_ns", "<i8"),
        ("end_ticks", "<u8"),
        ("end_monotonic_ns", "<i8"),
        ("lost", "<u8"),
        ("lost_why", "<u8"),
        ("window_bytes", "<u8"),
        ("flushed", "<u8"),
        ("unrecorded_read", "<u8"),
        ("unrecorded_written", "<u8"),
    ]
)

Head = dict[str, Any]
"""The fields of HEAD."""

RECORD = np.dtype(
    [
        ("begin_ticks", "<u8"),
        ("end_ticks", "<u8"),
        ("offset", "<i8"),
        ("length", "<u8"),
        ("result", "<i8"),
        ("file", "<u4"),
        ("call", "<u2"),
        ("level", "u1"),
        ("flags", "u1"),
    ]
)


@dataclass(frozen=True)
class Stream:
    """The records of one thread, in the order in which its calls ended."""

    process: int
    thread: int
    records: NDArray[Any]
    """Of dtype RECORD; mapped from the file (of a short stream, and of a program that was killed: a copy)."""
    lost: int
    """Calls without a record, for lack of space."""
    start_ticks: int
    start_monotonic_ns: int
    ticks_per_ns: float
    """0 where the clocks were compared once only."""
    compared_over_ns: int
    """The time between the two comparisons: the longer, the better `ticks_per_ns` is known."""
    head_bytes: int = HEAD.itemsize
    """Where records begin in the file."""
    lost_why: int = 0
    """The error number with which the system refused space for records; EFBIG: the bound was reached."""
    unrecorded: tuple[int, int] = (0, 0)
    """Bytes read and written of files that are not recorded, since the stream began."""
    note: str = ""
    """What of its records is missing, where the file was cut off."""


def read_stream(path: Path) -> Stream:
    """Map a stream, without a record that is cut off at its end; the note says so. Raises WeirError if it is
    no stream of this version."""
    with FileIO(plain_descriptor(path), "rb") as file:
        data = file.read(HEAD.itemsize)
        head = _head_of(data, str(path))
        records, note = _records(file, head, os.fstat(file.fileno()).st_size)
    return _stream(head, records, note)


def parse_stream(data: bytes, records: NDArray[Any], where: str, note: str = "") -> Stream:
    """A stream from its head and its records. Raises WeirError if the head is none of this version."""
    return _stream(_head_of(data, where), records, note)


def _stream(head: Head, records: NDArray[Any], note: str) -> Stream:
    return Stream(
        head["process"],
        head["thread"],
        records,
        head["lost"],
        head["start_ticks"],
        head["start_monotonic_ns"],
        *_rate(head),
        head["head_bytes"],
        head["lost_why"],
        (head["unrecorded_read"], head["unrecorded_written"]),
        note,
    )


def _head_of(data: bytes, where: str) -> Head:
    if len(data) < HEAD.itemsize:
        why = f"it has {count_words(len(data), 'byte')}"
        raise WeirError(f"{where} is no stream of records", why, "Was the program killed as it began?")
    head = dict(zip(HEAD.names or (), np.frombuffer(data, HEAD, 1).item(), strict=True))
    if (
        head["magic"] != MAGIC
        or head["record_bytes"] != RECORD.itemsize
        or head["head_bytes"] < HEAD.itemsize
    ):
        found = head["magic"].decode("ascii", "replace")
        why = f"it begins with '{found}', not '{MAGIC.decode()}'"
        if head["magic"] == MAGIC or head["magic"][:-1] != MAGIC[:-1]:
            raise WeirError(f"{where} is damaged, or no stream of records", why, "Record the program again.")
        raise WeirError(
            f"{where} is no stream of this version", why, "Read it with the Weir that recorded it."
        )
    return head


def _records(file: FileIO, head: Head, size: int) -> tuple[NDArray[Any], str]:
    """The records after the head, those in the window that the program was filling when it was killed, and a
    note on what is missing."""
    start, window_bytes, flushed = head["head_bytes"], head["window_bytes"], head["flushed"]
    whole = _map(file, start, size)
    if window_bytes < RECORD.itemsize or start != HEAD_PAGE + 2 * window_bytes:
        valid = whole[: _valid(whole)]
        is_cut = size < start or (len(valid) == len(whole) and (size - start) % RECORD.itemsize > 0)
        return valid, _missing(flushed - len(valid), is_cut)
    place = HEAD_PAGE + flushed // (window_bytes // RECORD.itemsize) % 2 * window_bytes
    window = _map(file, place, min(size, place + window_bytes))
    window = window[: _valid(window)]
    whole = whole[:flushed]
    note = _missing(flushed - len(whole), size < start)
    return (np.concatenate([whole, window]) if len(whole) else window), note


def _missing(records: int, is_cut: bool) -> str:
    if records > 0:
        return f"it was cut off, and at least {records} of its records are missing"
    return "it was cut off" if is_cut else ""


def _map(file: FileIO, start: int, end: int) -> NDArray[Any]:
    count = max(0, end - start) // RECORD.itemsize
    if count * RECORD.itemsize <= SMALL_BYTES:
        data = os.pread(file.fileno(), count * RECORD.itemsize, start) if count else b""
        return np.frombuffer(data, RECORD, len(data) // RECORD.itemsize)
    return np.memmap(file, RECORD, "r", start, (count,))


def _valid(records: NDArray[Any]) -> int:
    """How many records there are before the first empty one, by bisection: only the last part of a stream can
    be empty."""
    call = records["call"]
    low, high = 0, len(records)
    if high and call[-1]:
        return high
    while low < high:
        middle = (low + high) // 2
        if call[middle]:
            low = middle + 1
        else:
            high = middle
    return low


def _rate(head: Head) -> tuple[float, int]:
    elapsed = head["end_monotonic_ns"] - head["start_monotonic_ns"]
    ticks = head["end_ticks"] - head["start_ticks"]
    return (ticks / elapsed, elapsed) if elapsed > 0 and ticks > 0 else (0.0, 0)
