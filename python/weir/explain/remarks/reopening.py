"""The same files are opened again and again."""

from collections.abc import Iterator
from pathlib import PurePath

from weir.counts import count_words
from weir.explain.remark import Remark, share_of_io
from weir.explain.summary import Summary
from weir.trace.kinds import OPEN

TIMES = 10
FEWEST = 100


def remarks(summary: Summary) -> Iterator[Remark]:
    """Each rank that uses a file opens it ten times or more, on the average."""
    often = [row for row in summary.files if row.opens >= max(FEWEST, TIMES * row.ranks) and not row.dataset]
    if not often:
        return
    most = max(often, key=lambda row: row.opens)
    opening = sum(row.total_s for row in summary.operations if row.kind == OPEN and not row.for_io)
    yield Remark(
        f"{PurePath(most.file).name} is opened {count_words(most.opens, 'time')} by "
        f"{count_words(most.ranks, 'rank')}"
        + (f", and {count_words(len(often) - 1, 'other file')} likewise." if len(often) > 1 else "."),
        "Keep it open.",
        share_of_io(summary, opening),
    )
