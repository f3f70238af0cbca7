"""Syncs that take much of the time."""

from collections.abc import Iterator

from weir.explain.remark import Remark, rule
from weir.explain.summary import TraceSummary
from weir.trace.model import SYNC, WRITE
from weir.units import count_words, format_seconds, format_share

from ._path import weight

SYNC_SHARE = 0.2
STREAMS = "STDIO"


@rule(
    f"syncs take at least {format_share(SYNC_SHARE)} of the time in I/O calls; of Weir's traces, since "
    "other logs "
    "have no time "
    "of syncs",
    "Weir. fflush of a stream does not count: it hands bytes to the system, and waits for no device",
)
def syncs(summary: TraceSummary) -> Iterator[Remark]:
    """Over all files."""
    rows = [
        row for row in summary.operations if row.kind == SYNC and not row.for_io and row.interface != STREAMS
    ]
    seconds, calls = sum(row.total_s for row in rows), sum(row.count for row in rows)
    writes = sum(row.count for row in summary.operations if row.kind == WRITE and not row.for_io)
    on_path = summary.path_s(lambda row: row.kind == SYNC and row.interface != STREAMS)
    share, where = weight(summary, seconds, on_path)
    if share is not None and share >= SYNC_SHARE:
        yield Remark(
            f"{count_words(calls, 'sync takes', 'syncs take')} {format_share(share)} of the time in "
            f"I/O calls{where} ({format_seconds(seconds)} over {summary.head.all}), for "
            f"{count_words(writes, 'write')}.",
            "Each waits until the device has all that was written.",
            "Sync once, after the last write of a dump." if calls > summary.head.ranks else "",
            max(summary.of_run(seconds), on_path),
        )
