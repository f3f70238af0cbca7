"""What was done with each file and dataset, through each interface."""

import os
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.distinct import distinct
from weir.explain.nesting import NOT_IO, Nest
from weir.explain.section import PageSection, PageTable, page_section
from weir.explain.summary import FileRow, TraceSummary
from weir.trace.batch import Batch
from weir.trace.model import OPEN, READ, WRITE, Trace
from weir.units import format_bytes, format_seconds

_KINDS = (READ, WRITE, OPEN)  # and all others
_CLASSES = len(_KINDS) + 1


class FileSums:
    """By file and interface."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._rank = np.array([lane.rank for lane in trace.lanes], np.int64)
        self._interfaces = list(dict.fromkeys(call.interface for call in trace.calls))
        self._interface = np.array([self._interfaces.index(call.interface) for call in trace.calls])
        self._is_io = np.array([call.interface not in NOT_IO for call in trace.calls])
        self._class = np.array(
            [_KINDS.index(call.kind) if call.kind in _KINDS else len(_KINDS) for call in trace.calls]
        )
        size = len(trace.files) * len(self._interfaces)
        self._row = np.full(size, -1, np.int64)
        self._keys: list[int] = []
        self._sums = np.zeros((3, 0))  # calls, bytes, ns, each by row and class
        self._end = np.zeros(0, np.int64)
        self._ranks = np.zeros(0, np.int64)
        self._last_rank = np.zeros(0, np.int64)

    def add(self, nest: Nest) -> None:
        """Add a batch."""
        batch = nest.batch
        which = (batch.file > 0) & self._is_io[batch.call]
        if not which.any():
            return
        at = slice(None) if which.all() else np.flatnonzero(which)
        key = batch.file[at] * len(self._interfaces) + self._interface[batch.call[at]]
        row = self._rows_of(key)
        self._count(batch, at, row)
        self._count_ranks(batch, at, row)

    def _rows_of(self, key: NDArray[np.int64]) -> NDArray[np.int64]:
        """The row of each key; keys that are new get one."""
        row = self._row[key]
        if (row < 0).any():
            new = distinct(key[row < 0])
            self._row[new] = np.arange(len(self._keys), len(self._keys) + len(new))
            self._keys.extend(new.tolist())
            row = self._row[key]
            if (more := len(self._keys) - len(self._end)) > 0:
                self._grow(max(more, len(self._end)))  # by doubling
        return row

    def _grow(self, more: int) -> None:
        self._sums = np.pad(self._sums, ((0, 0), (0, more * _CLASSES)))
        self._end = np.pad(self._end, (0, more))
        self._ranks = np.pad(self._ranks, (0, more))
        self._last_rank = np.pad(self._last_rank, (0, more), constant_values=-1)

    def _count(self, batch: Batch, at: Any, row: NDArray[np.int64]) -> None:
        what = self._class[batch.call[at]]
        key = row * _CLASSES + what
        moved = batch.moved[at] * (what < 2)
        for column, weights in enumerate((None, moved, batch.took_ns[at])):
            self._sums[column] += np.bincount(key, weights, self._sums.shape[1])
        offset = batch.offset[at]
        placed = np.flatnonzero((moved > 0) & (offset >= 0))
        _greatest(self._end, row[placed], offset[placed] + moved[placed])

    def _count_ranks(self, batch: Batch, at: Any, row: NDArray[np.int64]) -> None:
        """Lanes come by rank: a rank that a row has seen is its last one."""
        first, last = self._rank[batch.lanes[0]], self._rank[batch.lanes[-1]]
        if first == last:
            touched, rank = np.flatnonzero(np.bincount(row)), np.array([first])
        else:
            ranks = int(last - first) + 1
            pairs = distinct(row * ranks + self._rank[batch.lane[at]] - first)
            touched, rank = pairs // ranks, pairs % ranks + first
        new = self._last_rank[touched] != rank
        np.add.at(self._ranks, touched[new], 1)
        self._last_rank[touched] = rank  # of several of one row, the last stays

    def rows(self, unaligned: NDArray[np.int64]) -> tuple[FileRow, ...]:
        """By time, the longest first; those of one time as the trace names them. `unaligned` counts such
        requests of the system, by file."""
        count, moved, took_ns = self._sums.reshape(3, -1, _CLASSES)[:, : len(self._keys)]
        in_order = np.lexsort((self._keys, -took_ns.sum(axis=1)))
        columns = (column[in_order].tolist() for column in (count, moved, took_ns / 1e9))
        made = zip(in_order.tolist(), *columns, strict=True)
        return tuple(self._with_layout(self._file_row(*one), one[0], unaligned) for one in made)

    def _with_layout(self, row: FileRow, number: int, unaligned: NDArray[np.int64]) -> FileRow:
        """Of the system's calls, how they lie to stripes or blocks, where that is known."""
        index = self._keys[number] // len(self._interfaces)
        layout = self._trace.layouts.get(index)
        if layout is None or row.interface != "POSIX":
            return row
        size = layout.alignment_bytes
        count = int(unaligned[index]) if size else None
        return replace(row, unaligned=count, alignment_bytes=size, osts=layout.targets)

    def _file_row(self, number: int, count: list[float], moved: list[float], took_s: list[float]) -> FileRow:
        index, interface = divmod(self._keys[number], len(self._interfaces))
        file = self._trace.files[index]
        parent = self._trace.files[file.parent].name
        reads, writes, opens, others = map(int, count)
        return FileRow(
            file=parent or file.name,
            dataset=file.name if parent else "",
            interface=self._interfaces[interface],
            ranks=int(self._ranks[number]),
            opens=opens,
            reads=reads,
            writes=writes,
            others=others,
            bytes_read=int(moved[0]),
            bytes_written=int(moved[1]),
            end_bytes=int(self._end[number]) or None,
            read_s=took_s[0],
            write_s=took_s[1],
            other_s=sum(took_s[2:]),
        )


def _greatest(greatest: NDArray[np.int64], row: NDArray[np.int64], values: NDArray[np.int64]) -> None:
    """Raise each row's element to the greatest of its values. Few rows go quickest one by one."""
    rows = np.flatnonzero(np.bincount(row)).tolist()
    if len(rows) > 8:
        np.maximum.at(greatest, row, values)
        return
    for one in rows:
        greatest[one] = max(greatest[one], values[row == one].max())


HEADINGS = ">opens, >reads, >read, >writes, >written, >reaches to, >reading, >writing, >other calls"
MOST_SHOWN = 60


@page_section(60)
def section(summary: TraceSummary) -> PageSection | None:
    """The files of the longest time."""
    if not summary.files:
        return None
    shown = summary.files[:MOST_SHOWN]
    folder = os.path.commonpath([PurePath(row.file).parent for row in shown]) if _alike(shown) else ""
    left = len(summary.files) - len(shown)
    headings = f"~file, interface, >{'ranks' if summary.head.ranked else 'processes'}, {HEADINGS}"
    return PageSection(
        "files",
        "Files",
        f"Sorted by time, the longest first{f', all below {folder}' if folder else ''}. Times are those of "
        f"{summary.head.all} together.",
        table=PageTable(
            headings.split(", "),
            [_cells(row, folder) for row in shown],
            f"`weir explain --json` prints {left:,} more." if left else "",
        ),
    )


def _alike(rows: tuple[FileRow, ...]) -> bool:
    return len({PurePath(row.file).is_absolute() for row in rows}) == 1


def _cells(row: FileRow, folder: str) -> list[str]:
    name = os.path.relpath(row.file, folder) if folder else row.file
    return [
        f"{row.dataset} in {name}" if row.dataset else name,
        row.interface,
        f"{row.ranks:,}",
        f"{row.opens:,}",
        f"{row.reads:,}" if row.reads else "",
        format_bytes(row.bytes_read) if row.reads else "",
        f"{row.writes:,}" if row.writes else "",
        format_bytes(row.bytes_written) if row.writes else "",
        "" if row.end_bytes is None else format_bytes(row.end_bytes),
        format_seconds(row.read_s),
        format_seconds(row.write_s),
        format_seconds(row.other_s),
    ]
