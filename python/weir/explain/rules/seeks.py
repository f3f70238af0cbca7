"""As many seeks as transfers."""

from collections.abc import Iterator

from weir.answers.answer import Answer, Evidence
from weir.explain.rule import Remedy, costs, rule
from weir.explain.summary import TraceSummary
from weir.trace.model import SEEK, TRANSFERS

FEWEST_SEEKS = 1000


@rule(
    title="Seeks, {subject}",
    remedies={
        "offset-in-call": Remedy(
            "use pread and pwrite, which take the offset",
            "each seek is a call, and empties a stream's buffer",
        )
    },
    speaks=f"there are at least {FEWEST_SEEKS:,} seeks, and as many as reads and writes; of Weir's traces, "
    "since other logs have no time of seeks",
    source="Weir: a seek before each request",
)
def seeks(summary: TraceSummary) -> Iterator[Answer]:
    """Over all files."""
    outer = [row for row in summary.operations if not row.for_io]
    found = [row for row in outer if row.kind == SEEK]
    count, moves = sum(row.count for row in found), sum(row.count for row in outer if row.kind in TRANSFERS)
    seconds = sum(row.total_s for row in found)
    if count >= FEWEST_SEEKS and count >= moves:
        most = max(found, key=lambda row: row.count)
        yield costs(
            "seeks",
            (most.name,),
            max(summary.of_run(seconds), summary.path_s(lambda row: row.kind == SEEK)),
            "offset-in-call",
            (
                Evidence("seeks", count),
                Evidence("reads and writes", moves),
                Evidence(f"seeks over {summary.head.all}", seconds, "s"),
            ),
        )
