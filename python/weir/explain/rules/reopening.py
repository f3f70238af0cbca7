"""Files that are opened again and again."""

from collections.abc import Iterator

from weir.answers.answer import Answer, Evidence
from weir.explain.layers import layered
from weir.explain.rule import Remedy, costs, rule
from weir.explain.summary import FileRow, TraceSummary
from weir.trace.model import OPEN

from ._files import and_more

REOPENED_TIMES = 10
FEWEST_OPENS = 100


@rule(
    title="Opened again and again, {subject}",
    remedies={
        "keep-open": Remedy(
            "keep it open; opens now: {opens}", "each open asks the server of names; closes may wait for data"
        )
    },
    speaks=f"each rank that uses a file opens it {REOPENED_TIMES} times or more, on the average, and all "
    "together "
    f"at least {FEWEST_OPENS} times",
    source="Weir: a program that keeps files open opens each once a dump",
)
def reopening(summary: TraceSummary) -> Iterator[Answer]:
    """The file with the most opens."""
    often = [
        row
        for file in layered(summary.files)
        for row in file.outermost.rows
        if row.opens >= max(FEWEST_OPENS, REOPENED_TIMES * row.ranks) and not row.dataset
    ]
    if not often:
        return
    most = max(often, key=lambda row: row.opens)
    opening = sum(row.total_s for row in summary.operations if row.kind == OPEN and not row.for_io)
    yield costs(
        "reopening",
        (and_more(most.file, len(often)),),
        summary.of_run(opening) if opening else _in_files(summary, often),
        "keep-open",
        (
            Evidence("opens", most.opens),
            Evidence("ranks that open it", most.ranks),
            Evidence("calls on it that move no data", most.other_s, "s"),
        ),
        opens=f"{most.opens:,}",
    )


def _in_files(summary: TraceSummary, often: list[FileRow]) -> float:
    """Where opens have no time of their own: of the files' slowest ranks in all but reads and writes."""
    slowest = {(one.file, one.interface): one.slowest.seconds for one in summary.spreads}
    return sum(
        min(row.other_s, slowest.get((row.file, row.interface), row.other_s / row.ranks)) for row in often
    )
