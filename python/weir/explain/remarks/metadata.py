"""Opening, closing and asking take longer than moving data."""

from collections.abc import Iterator

from weir.counts import count_words
from weir.explain.remark import Remark, share_of_io
from weir.explain.summary import Summary
from weir.trace.kinds import CLOSE, OPEN, REMOVE, RENAME, STAT
from weir.units import format_seconds, format_share

KINDS = (OPEN, CLOSE, STAT, REMOVE, RENAME)
LEAST_SHARE = 0.3


def remarks(summary: Summary) -> Iterator[Remark]:
    """At least 30 % of the time in I/O calls is spent on files' names, opens and closes."""
    rows = [row for row in summary.operations if row.kind in KINDS and not row.for_io]
    seconds = sum(row.total_s for row in rows)
    share = share_of_io(summary, seconds)
    if share is None or share < LEAST_SHARE:
        return
    opens = sum(row.count for row in rows if row.kind == OPEN)
    longest = max(rows, key=lambda row: row.total_s)
    yield Remark(
        f"Opening, closing and asking about files takes {format_share(share)} of the time in "
        f"{summary.head.io_calls}: {format_seconds(seconds)} over {summary.head.all}, "
        f"{format_seconds(longest.total_s)} of it in {count_words(longest.count, 'call')} of {longest.name}.",
        "Open fewer files, and each once: a shared file, or one for a group of ranks."
        if opens > summary.head.ranks
        else "",
        share,
    )
