"""Calls that failed."""

from collections.abc import Iterator

from weir.explain.remark import Remark, rule
from weir.explain.summary import TraceSummary
from weir.trace.model import OPEN, STAT, SYNC, TRANSFERS
from weir.units import count_words

TRIED = ("copy_file_range", "sendfile", "splice")
"""Programs that copy try these first, and do it by reads and writes where the file system cannot."""
FEWEST_LOOKUPS = 100


@rule(
    f"a read, write or sync failed; or at least {FEWEST_LOOKUPS} opens and stats did",
    "a failed write may have lost data",
)
def failures(summary: TraceSummary) -> Iterator[Remark]:
    """Reads, writes and syncs that failed; opens and questions where there are very many."""
    failed = [row for row in summary.operations if row.failed and row.kind in (*TRANSFERS, SYNC)]
    for row in (row for row in failed if row.name not in TRIED):
        yield Remark(
            f"{row.failed:,} of {count_words(row.count, 'call')} of {row.name} failed: data may be missing.",
            advice="Find them with: weir export TRACE --format csv",
        )
    looked = [row for row in summary.operations if row.kind in (OPEN, STAT) and not row.for_io]
    tried = sum(row.failed for row in looked)
    if tried >= FEWEST_LOOKUPS:
        yield Remark(
            f"{tried:,} lookups and opens failed: does the program search through directories?",
            "Each asks the server of names.",
            seconds=summary.of_run(
                sum(row.total_s * row.failed / row.count for row in looked if row.count > 0)
            ),
        )
