"""Waiting for the device, again and again."""

from collections.abc import Iterator

from weir.counts import count_words
from weir.explain.remark import Remark, share_of_io
from weir.explain.summary import Summary
from weir.trace.kinds import SYNC, WRITE
from weir.units import format_seconds, format_share

LEAST_SHARE = 0.2
STREAMS = "STDIO"


def remarks(summary: Summary) -> Iterator[Remark]:
    """Syncs take at least a fifth of the time in I/O calls. Those of streams (fflush) hand bytes to the
    system, and wait for no device."""
    rows = [
        row for row in summary.operations if row.kind == SYNC and not row.for_io and row.interface != STREAMS
    ]
    seconds, calls = sum(row.total_s for row in rows), sum(row.count for row in rows)
    writes = sum(row.count for row in summary.operations if row.kind == WRITE and not row.for_io)
    share = share_of_io(summary, seconds)
    if share is not None and share >= LEAST_SHARE:
        yield Remark(
            f"{count_words(calls, 'sync takes', 'syncs take')} {format_share(share)} of the time in "
            "I/O calls "
            f"({format_seconds(seconds)} over {summary.head.all}), for {count_words(writes, 'write')}.",
            "Sync once, after the last write of a dump." if calls > summary.head.ranks else "",
            share,
        )
