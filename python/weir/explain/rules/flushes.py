"""Streams that are flushed all the time."""

from collections.abc import Iterator
from pathlib import PurePath

from weir.explain.remark import Remark, rule
from weir.explain.summary import OperationRow, TraceSummary
from weir.trace.model import SYNC, WRITE
from weir.units import count_words, format_bytes, format_seconds, format_share

STREAMS = "STDIO"
FEWEST = 1000
OF_WRITES = 0.5


@rule(
    f"there are at least {FEWEST:,} flushes of streams (fflush), and at least {format_share(OF_WRITES)} as "
    "many as writes to streams; of Weir's traces, since other logs have no flushes",
    "1,000 requests, as for small ones: a flush makes a small request of what a stream would gather",
)
def flushes(summary: TraceSummary) -> Iterator[Remark]:
    """Over all streams."""
    rows = [row for row in summary.operations if row.interface == STREAMS and not row.for_io]
    flushed, written = _of(rows, SYNC), _of(rows, WRITE)
    count, writes = sum(row.count for row in flushed), sum(row.count for row in written)
    if count < FEWEST or count < OF_WRITES * writes:
        return
    seconds = sum(row.total_s for row in flushed)
    size = sum(row.bytes for row in written) / writes if writes else 0
    of = f" of {format_bytes(size)} on average" if size else ""
    yield Remark(
        f"{count_words(count, 'flush of a stream follows', 'flushes of streams follow')} "
        f"{count_words(writes, 'write')}{of}, in {format_seconds(seconds)} over {summary.head.all}"
        f"{_where(summary)}.",
        "Each flush is a request of its own to the system, however few bytes there are.",
        "Leave out the flush: the stream gathers writes in its buffer (setvbuf for a larger one).",
        max(
            summary.of_run(seconds), summary.path_s(lambda row: (row.interface, row.kind) == (STREAMS, SYNC))
        ),
    )


def _of(rows: list[OperationRow], kind: str) -> list[OperationRow]:
    return [row for row in rows if row.kind == kind]


def _where(summary: TraceSummary) -> str:
    files = [row for row in summary.files if row.interface == STREAMS and row.writes]
    if not files:
        return ""
    most = max(files, key=lambda row: row.other_s)
    return f", {'most' if len(files) > 1 else 'all'} in {PurePath(most.file).name}"
