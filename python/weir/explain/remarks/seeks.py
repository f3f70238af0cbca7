"""More seeks than reads and writes."""

from collections.abc import Iterator

from weir.counts import count_words
from weir.explain.remark import Remark, share_of_io
from weir.explain.summary import Summary
from weir.trace.kinds import SEEK, TRANSFERS

FEWEST = 1000


def remarks(summary: Summary) -> Iterator[Remark]:
    """At least as many seeks as transfers, and a thousand of them."""
    outer = [row for row in summary.operations if not row.for_io]
    seeks = [row for row in outer if row.kind == SEEK]
    count, moves = sum(row.count for row in seeks), sum(row.count for row in outer if row.kind in TRANSFERS)
    if count >= FEWEST and count >= moves:
        yield Remark(
            f"{count_words(count, 'seek goes', 'seeks go')} with "
            f"{count_words(moves, 'read or write', 'reads and writes')}.",
            "pread and pwrite (MPI_File_read_at, …) take the offset themselves.",
            share_of_io(summary, sum(row.total_s for row in seeks)),
        )
