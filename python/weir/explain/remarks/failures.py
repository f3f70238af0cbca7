"""Calls that failed."""

from collections.abc import Iterator

from weir.counts import count_words
from weir.explain.remark import Remark
from weir.explain.summary import Summary
from weir.trace.kinds import OPEN, STAT, SYNC, TRANSFERS

TRIED = ("copy_file_range", "sendfile", "splice")
"""Programs that copy try these first, and do it by reads and writes where the file system cannot."""


def remarks(summary: Summary) -> Iterator[Remark]:
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
        yield Remark(f"{tried:,} files were looked for or opened in vain: a search through directories?")
