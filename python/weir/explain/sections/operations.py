"""What each function was called how often, and how long it took: table 1 of Thakur et al. (1996)."""

from collections.abc import Iterator

import numpy as np

from weir.explain.nesting import Nest
from weir.explain.section import PageSection, PageTable, Remark, page_section, rule
from weir.explain.summary import OperationRow, TraceSummary
from weir.trace.model import (
    CLOSE,
    COMMUNICATE,
    OPEN,
    REMOVE,
    RENAME,
    SEEK,
    STAT,
    SYNC,
    TRANSFERS,
    WAIT,
    WRITE,
    Trace,
)
from weir.units import count_words, format_bytes, format_seconds, format_share


class OperationSums:
    """By function; calls inside I/O calls separate from the others."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._calls = len(trace.calls)
        self._moves = np.array([call.kind in TRANSFERS for call in trace.calls])
        self._sends = np.array([call.kind == COMMUNICATE for call in trace.calls])
        self._sums = np.zeros((5, 2 * self._calls))
        writes = {
            (call.interface, call.name): at for at, call in enumerate(trace.calls) if call.kind == WRITE
        }
        self._whole = np.array(
            [writes.get((call.interface, call.name), at) for at, call in enumerate(trace.calls)], np.int64
        )

    def add(self, nest: Nest) -> None:
        """Add a batch."""
        batch = nest.batch
        # Of two halves the second is the call; the first gives it its time.
        counted = batch.counted
        call = batch.call if counted.all() else np.where(counted, batch.call, self._whole[batch.call])
        key = call if nest.flat else call + self._calls * nest.inside_io
        moved = batch.moved * (self._moves[batch.call] & counted)
        if self._sends.any():
            moved = moved + batch.length.view(np.int64) * self._sends[batch.call]
        failed = batch.failed & counted
        for column, weights in enumerate((counted, failed, batch.took_ns, nest.own_ns, moved)):
            self._sums[column] += np.bincount(key, weights, self._sums.shape[1])

    def rows(self) -> tuple[OperationRow, ...]:
        """By time, the longest first."""
        rows = []
        for key in np.flatnonzero(self._sums[0]).tolist():
            call = self._trace.calls[key % self._calls]
            count, failed, took_ns, own_ns, moved = self._sums[:, key].tolist()
            rows.append(
                OperationRow(
                    interface=call.interface,
                    name=call.name,
                    kind=call.kind,
                    for_io=key >= self._calls,
                    count=int(count),
                    failed=int(failed),
                    total_s=took_ns / 1e9,
                    own_s=own_ns / 1e9,
                    per_rank_s=took_ns / 1e9 / max(1, self._trace.ranks),
                    bytes=int(moved),
                )
            )
        return tuple(sorted(rows, key=lambda row: -row.total_s))


@page_section(20)
def section(summary: TraceSummary) -> PageSection | None:
    """All functions, those of the longest time first."""
    if not summary.operations:
        return None
    whole = summary.head.whole_s
    words = (
        f"Times are those of {summary.head.all} together. Calls that a library made inside its own I/O calls "
        "are marked “for I/O”; their time is included in that of the calls around them, but not in "
        "their own time."
    )
    headings = "interface, operation, call, >count, >failed, >total time, >own time, >mean per "
    headings += f"{summary.head.one}, >share of run, >moved"
    table = PageTable(headings.split(", "), [_cells(row, whole) for row in summary.operations])
    return PageSection("operations", "Operations", words, table=table)


def _cells(row: OperationRow, whole: float) -> list[str]:
    return [
        row.interface,
        f"{row.kind} (for I/O)" if row.for_io else row.kind,
        row.name,
        f"{row.count:,}",
        f"{row.failed:,}" if row.failed else "",
        format_seconds(row.total_s),
        "" if row.own_s is None or row.own_s == row.total_s else format_seconds(row.own_s),
        format_seconds(row.per_rank_s),
        format_share(row.total_s / whole) if whole > 0 else "",
        format_bytes(row.bytes) if row.bytes else "",
    ]


LIBRARIES = ("MPI-IO", "HDF5", "PNETCDF")
AMPLIFIED_TIMES = 1.2
AMPLIFIED_BYTES = 1 << 20
SIEVING = "Use collective calls, or turn data sieving off (hints romio_ds_read, romio_ds_write = disable)."
CHUNKS = {
    "read": "Choose chunks that fit what is read at once, and a cache that holds them (H5Pset_chunk_cache).",
    "write": "Align datasets and chunks to what is written at once.",
}


@rule
def amplification(summary: TraceSummary) -> Iterator[Remark]:
    """Reads of the system in a run that asks for writes alone, or a fifth more bytes than asked for."""
    bytes_of = {(row.interface, row.kind): row.bytes for row in summary.transfers}
    for interface in LIBRARIES:
        asked = {kind: bytes_of.get((interface, kind), 0) for kind in ("read", "write")}
        if sum(asked.values()) == 0:
            continue
        for kind, advice in CHUNKS.items():
            moved = _inside(summary, kind)
            more = moved - asked[kind] >= AMPLIFIED_BYTES
            if more and moved > AMPLIFIED_TIMES * asked[kind] and moved > sum(asked.values()) // 10:
                yield Remark(
                    f"{interface} was asked to {kind} {format_bytes(asked[kind])}; {format_bytes(moved)} "
                    "were moved for that" + (", reading before writing." if asked[kind] == 0 else "."),
                    SIEVING if (interface, kind) == ("MPI-IO", "read") else advice,
                )
        return  # what lies further inside is the same bytes again


def _inside(summary: TraceSummary, kind: str) -> int:
    """Bytes that the system moved inside calls of libraries."""
    return sum(
        row.bytes
        for row in summary.operations
        if row.for_io and row.interface == "POSIX" and row.kind == kind
    )


@rule
def communication(summary: TraceSummary) -> Iterator[Remark]:
    """MPI calls inside I/O calls take longer than the reads and writes of the system inside them."""
    inside = [row for row in summary.operations if row.for_io]
    communication = sum(row.total_s for row in inside if row.kind in (COMMUNICATE, WAIT))
    moving = sum(row.total_s for row in inside if row.kind in TRANSFERS and row.interface == "POSIX")
    if communication > moving > 0:
        yield Remark(
            f"Communication for I/O takes longer ({format_seconds(communication)} over {summary.head.all}) "
            f"than the reads and writes that it is for ({format_seconds(moving)}).",
            "Try fewer or more aggregators, or `weir` with the back-end `twophase` on this pattern.",
            summary.share_of_io(communication),
        )


TRIED = ("copy_file_range", "sendfile", "splice")
"""Programs that copy try these first, and do it by reads and writes where the file system cannot."""


@rule
def failures(summary: TraceSummary) -> Iterator[Remark]:
    """Reads, writes and syncs that failed; opens and questions where there are very many."""
    failed = [row for row in summary.operations if row.failed and row.kind in (*TRANSFERS, SYNC)]
    failed = [row for row in failed if row.name not in TRIED]
    for row in failed:
        yield Remark(
            f"{row.failed:,} of {count_words(row.count, 'call')} of {row.name} failed: data may be missing.",
            "Find them with: weir export TRACE --format csv",
        )
    tried = sum(row.failed for row in summary.operations if row.kind in (OPEN, STAT) and not row.for_io)
    if tried >= 100:
        yield Remark(f"{tried:,} lookups and opens failed: does the program search through directories?")


METADATA = (OPEN, CLOSE, STAT, REMOVE, RENAME)
METADATA_SHARE = 0.3


@rule
def metadata(summary: TraceSummary) -> Iterator[Remark]:
    """At least 30 % of the time in I/O calls is spent on files' names, opens and closes."""
    rows = [row for row in summary.operations if row.kind in METADATA and not row.for_io]
    seconds = sum(row.total_s for row in rows)
    share = summary.share_of_io(seconds)
    if share is None or share < METADATA_SHARE:
        return
    opens = sum(row.count for row in rows if row.kind == OPEN)
    longest = max(rows, key=lambda row: row.total_s)
    yield Remark(
        f"Metadata operations (open, close, stat, remove, rename) take {format_share(share)} of the time in "
        f"{summary.head.io_calls}: {format_seconds(seconds)} over {summary.head.all}, "
        f"{format_seconds(longest.total_s)} of it in {count_words(longest.count, 'call')} of {longest.name}.",
        "Open fewer files, and each once: a shared file, or one for a group of ranks."
        if opens > summary.head.ranks
        else "",
        share,
    )


FEWEST_SEEKS = 1000


@rule
def seeks(summary: TraceSummary) -> Iterator[Remark]:
    """At least as many seeks as transfers, and a thousand of them."""
    outer = [row for row in summary.operations if not row.for_io]
    seeks = [row for row in outer if row.kind == SEEK]
    count, moves = sum(row.count for row in seeks), sum(row.count for row in outer if row.kind in TRANSFERS)
    if count >= FEWEST_SEEKS and count >= moves:
        yield Remark(
            f"There {'is' if count == 1 else 'are'} {count_words(count, 'seek')} for "
            f"{count_words(moves, 'read or write', 'reads and writes')}.",
            "pread and pwrite (MPI_File_read_at, …) take the offset themselves.",
            summary.share_of_io(sum(row.total_s for row in seeks)),
        )


SYNC_SHARE = 0.2
STREAMS = "STDIO"


@rule
def syncs(summary: TraceSummary) -> Iterator[Remark]:
    """Syncs take at least a fifth of the time in I/O calls. Those of streams (fflush) hand bytes to the
    system, and wait for no device."""
    rows = [
        row for row in summary.operations if row.kind == SYNC and not row.for_io and row.interface != STREAMS
    ]
    seconds, calls = sum(row.total_s for row in rows), sum(row.count for row in rows)
    writes = sum(row.count for row in summary.operations if row.kind == WRITE and not row.for_io)
    share = summary.share_of_io(seconds)
    if share is not None and share >= SYNC_SHARE:
        yield Remark(
            f"{count_words(calls, 'sync takes', 'syncs take')} {format_share(share)} of the time in "
            "I/O calls "
            f"({format_seconds(seconds)} over {summary.head.all}), for {count_words(writes, 'write')}.",
            "Sync once, after the last write of a dump." if calls > summary.head.ranks else "",
            share,
        )
