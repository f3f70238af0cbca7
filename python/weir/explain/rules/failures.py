"""Calls that failed."""

from collections.abc import Iterator

from weir.answers.answer import Answer, Count, Evidence
from weir.explain.rule import Remedy, costs, rule
from weir.explain.summary import TraceSummary
from weir.trace.model import OPEN, READ, STAT, SYNC, TRANSFERS

TRIED = ("copy_file_range", "sendfile", "splice")
"""Programs that copy try these first, and do it by reads and writes where the file system cannot."""
FEWEST_LOOKUPS = 100
FIRST = 1e9
"""Weighs more than any time: what a failed write lost is no matter of time."""


@rule(
    title="Failed {subject}",
    remedies={
        "find-failed": Remedy(
            "data may be missing; list them: weir export --format csv", "what a failed call moved is lost"
        ),
        "search-less": Remedy("{tried} failed: search fewer folders", "each asks the server of names"),
    },
    speaks=f"a read, write or sync failed; or at least {FEWEST_LOOKUPS} opens and stats did",
    source="a failed write may have lost data",
)
def failures(summary: TraceSummary) -> Iterator[Answer]:
    """Reads, writes and syncs that failed; opens and questions where there are very many."""
    failed = [row for row in summary.operations if row.failed and row.kind in (*TRANSFERS, SYNC)]
    for row in (row for row in failed if row.name not in TRIED):
        weight = 0 if row.kind == READ else FIRST
        yield Answer(
            "failures", (row.name,), Count(row.failed, row.count), action="find-failed", weight=weight
        )
    looked = [row for row in summary.operations if row.kind in (OPEN, STAT) and not row.for_io]
    tried = sum(row.failed for row in looked)
    if tried >= FEWEST_LOOKUPS:
        seconds = sum(row.total_s * row.failed / row.count for row in looked if row.count > 0)
        yield costs(
            "failures",
            ("lookups",),
            summary.of_run(seconds),
            "search-less",
            (Evidence("opens and stats that failed", tried),),
            tried=f"{tried:,}",
        )
