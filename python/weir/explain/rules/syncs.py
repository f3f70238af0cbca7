"""Syncs that take much of the time."""

from collections.abc import Iterator

from weir.answers.answer import Answer, Evidence
from weir.explain.rule import Remedy, costs, rule
from weir.explain.summary import TraceSummary
from weir.trace.model import SYNC, WRITE
from weir.units import count_words, format_share

from ._path import weight

SYNC_SHARE = 0.2
STREAMS = "STDIO"
WHY = "each sync waits until the device has all that was written"


@rule(
    title="Waiting for the device, {subject}",
    remedies={
        "sync-once": Remedy("sync once, after the last write: now {syncs}", WHY),
        "one-sync": Remedy("needed only where data must survive a crash", WHY),
    },
    speaks=f"syncs take at least {format_share(SYNC_SHARE)} of the time in I/O calls; of Weir's traces, "
    "since "
    "other logs have no time of syncs",
    source="Weir. fflush of a stream does not count: it hands bytes to the system, and waits for no device",
)
def syncs(summary: TraceSummary) -> Iterator[Answer]:
    """Over all files."""
    rows = [
        row for row in summary.operations if row.kind == SYNC and not row.for_io and row.interface != STREAMS
    ]
    seconds, calls = sum(row.total_s for row in rows), sum(row.count for row in rows)
    writes = sum(row.count for row in summary.operations if row.kind == WRITE and not row.for_io)
    on_path = summary.path_s(lambda row: row.kind == SYNC and row.interface != STREAMS)
    share, label = weight(summary, seconds, on_path)
    if share is not None and share >= SYNC_SHARE:
        yield costs(
            "syncs",
            (max(rows, key=lambda row: row.total_s).name,),
            max(summary.of_run(seconds), on_path),
            "sync-once" if calls > summary.head.ranks else "one-sync",
            (
                Evidence("syncs", calls),
                Evidence("writes", writes),
                Evidence(label, share, "share"),
                Evidence(f"syncs over {summary.head.all}", seconds, "s"),
            ),
            syncs=count_words(calls, "sync"),
        )
