"""As many seeks as transfers."""

from collections.abc import Iterator

from weir.explain.remark import Remark, rule
from weir.explain.summary import TraceSummary
from weir.trace.model import SEEK, TRANSFERS
from weir.units import count_words, format_seconds

FEWEST_SEEKS = 1000


@rule(
    f"there are at least {FEWEST_SEEKS:,} seeks, and as many as reads and writes; of Weir's traces, since "
    "other logs "
    "have no time of seeks",
    "Weir: a seek before each request",
)
def seeks(summary: TraceSummary) -> Iterator[Remark]:
    """Over all files."""
    outer = [row for row in summary.operations if not row.for_io]
    found = [row for row in outer if row.kind == SEEK]
    count, moves = sum(row.count for row in found), sum(row.count for row in outer if row.kind in TRANSFERS)
    seconds = sum(row.total_s for row in found)
    if count >= FEWEST_SEEKS and count >= moves:
        yield Remark(
            f"There {'is' if count == 1 else 'are'} {count_words(count, 'seek')} for "
            f"{count_words(moves, 'read or write', 'reads and writes')}, in {format_seconds(seconds)} over "
            f"{summary.head.all}.",
            "Each is a call of its own, and a stream gives up its buffer.",
            "pread and pwrite (MPI_File_read_at, …) take the offset themselves.",
            max(summary.of_run(seconds), summary.path_s(lambda row: row.kind == SEEK)),
        )
