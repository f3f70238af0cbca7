"""Streams that are flushed all the time."""

from collections.abc import Iterator

from weir.answers.answer import Answer, Evidence
from weir.explain.rule import Remedy, costs, rule
from weir.explain.summary import OperationRow, TraceSummary
from weir.trace.model import SYNC, WRITE
from weir.units import format_share

from ._files import and_more

STREAMS = "STDIO"
FEWEST = 1000
OF_WRITES = 0.5


@rule(
    title="Flushes, {subject}",
    remedies={
        "keep-buffered": Remedy(
            "leave out fflush ({flushes}; writes: {writes})",
            "each flush is a request, however few bytes there are",
        )
    },
    speaks=f"there are at least {FEWEST:,} flushes of streams (fflush), and at least "
    f"{format_share(OF_WRITES)} as many as writes to streams; of Weir's traces, since other logs have no "
    "flushes",
    source="1,000 requests, as for small ones: a flush makes a small request of what a stream would gather",
)
def flushes(summary: TraceSummary) -> Iterator[Answer]:
    """Over all streams; of the file with the most time in calls that move no data."""
    rows = [row for row in summary.operations if row.interface == STREAMS and not row.for_io]
    flushed, written = _of(rows, SYNC), _of(rows, WRITE)
    count, writes = sum(row.count for row in flushed), sum(row.count for row in written)
    if count < FEWEST or count < OF_WRITES * writes:
        return
    seconds = sum(row.total_s for row in flushed)
    size = sum(row.bytes for row in written) / writes if writes else 0
    files = [row for row in summary.files if row.interface == STREAMS and row.writes]
    most = max(files, key=lambda row: row.other_s, default=None)
    yield costs(
        "flushes",
        (and_more(most.file, len(files)),) if most else (),
        max(
            summary.of_run(seconds), summary.path_s(lambda row: (row.interface, row.kind) == (STREAMS, SYNC))
        ),
        "keep-buffered",
        (
            Evidence("flushes", count),
            Evidence("writes to streams", writes),
            *([Evidence("mean write", size, "B")] if size else []),
            Evidence(f"flushes over {summary.head.all}", seconds, "s"),
            *([Evidence("streams written to", len(files))] if len(files) > 1 else []),
        ),
        flushes=f"{count:,} times",
        writes=f"{writes:,}",
    )


def _of(rows: list[OperationRow], kind: str) -> list[OperationRow]:
    return [row for row in rows if row.kind == kind]
