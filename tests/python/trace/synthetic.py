"""Traces written by hand, with calls of all kinds: nested, failed, on datasets."""

import json
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from weir.redaction import Redactor
from weir.trace.pack.write import Times, pack_trace
from weir.trace.stream import HEAD, MAGIC, RECORD

CALLS = (
    "POSIX open open",
    "POSIX pwrite write",
    "POSIX pread read",
    "HDF5 H5Dwrite write",
    "POSIX close close",
    "MPI MPI_Send communicate",
)
OPEN, PWRITE, PREAD, H5DWRITE, CLOSE, SEND = range(1, 7)
FILE, DATASET, COMMUNICATOR = 1, 2, 3
START = 10**15

Row = tuple[int, int, int, int, int, int, int, int, int]
"""begin_ticks and end_ticks since START, then offset, length, result, file, call, level, flags."""


def write_trace(folder: Path, ranks: dict[int, list[Row]]) -> Path:
    """A trace with a process for each rank. A tick is a nanosecond."""
    folder.mkdir()
    for rank, rows in ranks.items():
        _write_process(folder, rank, rows)
    return folder


def _write_process(folder: Path, rank: int, rows: list[Row]) -> None:
    prefix = f"{folder}/node-{100 + rank}-0"
    facts = {"weir_trace": 1, "process": 100 + rank, "host": "node", "rank": rank, "command": "app -x"}
    facts |= {"real_ns": 10**18, "monotonic_ns": 5000}
    write_facts(
        prefix,
        facts,
        {"end_real_ns": 10**18 + max((row[1] for row in rows), default=0), "end_monotonic_ns": 0},
    )
    texts: list[Entry] = [(1, number, 0, text) for number, text in enumerate(CALLS, 1)]
    texts += [(2, FILE, 0, f"/data/out-{rank}, it's\udcff"), (2, DATASET, FILE, "density")]
    Path(f"{prefix}.names").write_bytes(names_table([*texts, (3, COMMUNICATOR, 0, "0-3,8")]))
    head = stream_head(100 + rank, START, 5000, head_bytes=4096, flushed=len(rows))
    records = np.array([(START + row[0], START + row[1], *row[2:]) for row in rows], RECORD)
    Path(f"{prefix}.1.records").write_bytes(head.ljust(4096, b"\0") + records.tobytes())


Entry = tuple[int, int, int, str]
"""Of a table of names: kind, number, parent, text."""


def names_table(entries: Iterable[Entry]) -> bytes:
    """As the recorder writes it: each text filled up to 8 bytes."""
    table = b""
    for kind, number, parent, text in entries:
        data = text.encode("utf-8", "surrogateescape")
        table += struct.pack("<4I", kind, number, len(data), parent) + data + bytes(-len(data) % 8)
    return table


def write_facts(prefix: str, *lines: dict[str, Any]) -> None:
    """The facts of a process."""
    Path(f"{prefix}.process").write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def stream_head(process: int, ticks: int, monotonic_ns: int, rate: int = 1, **fields: int) -> bytes:
    """The head of a stream whose clocks were compared again after a second; `rate`: ticks in a nanosecond."""
    head = np.zeros(1, HEAD)
    known = {"record_bytes": RECORD.itemsize, "head_bytes": HEAD.itemsize, "thread": 1, "process": process}
    known |= {"start_ticks": ticks, "start_monotonic_ns": monotonic_ns, "end_ticks": ticks + rate * 10**9}
    known |= {"end_monotonic_ns": monotonic_ns + 10**9}
    head["magic"] = MAGIC
    for name, value in (known | fields).items():
        head[name] = value
    return head.tobytes()


def packed(folder: Path, times: Times = Times.EXACT, redactor: Redactor | None = None) -> Path:
    """The packed trace of a folder, beside it."""
    path = folder.with_suffix(".weirtrace")
    with path.open("wb") as out:
        pack_trace(folder, out, times, redactor)
    return path


def rows_of_rank(rank: int, writes: int = 20) -> list[Row]:
    """Opens, writes through HDF5 and so through POSIX, reads half of what it asks for, fails, closes."""
    rows: list[Row] = [(1000, 2000, -1, 0o102, 3, FILE, OPEN, 0, 0)]
    for i in range(writes):
        at = 10_000 * (i + 1) + 17 * rank
        rows.append((at + 100, at + 900, 4096 * i, 4096, 4096, FILE, PWRITE, 1, 0))
        rows.append((at, at + 1000 + i, -1, 4096, 4096, DATASET, H5DWRITE, 0, 1))
    end = 10_000 * (writes + 2)
    rows.append((end, end + 500, 0, 8192, 4096, FILE, PREAD, 0, 0))
    rows.append((end + 600, end + 700, -1, 0, -9, FILE, CLOSE, 0, 0))
    return rows
