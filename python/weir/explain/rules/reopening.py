"""Files that are opened again and again."""

from collections.abc import Iterator
from pathlib import PurePath

from weir.explain.layers import layered
from weir.explain.remark import Remark, rule
from weir.explain.summary import FileRow, TraceSummary
from weir.trace.model import OPEN
from weir.units import count_words, format_seconds

REOPENED_TIMES = 10
FEWEST_OPENS = 100


@rule(
    f"each rank that uses a file opens it {REOPENED_TIMES} times or more, on the average, and all together "
    "at least "
    f"{FEWEST_OPENS} times",
    "Weir: a program that keeps files open opens each once a dump",
)
def reopening(summary: TraceSummary) -> Iterator[Remark]:
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
    yield Remark(
        f"{PurePath(most.file).name} is opened {count_words(most.opens, 'time')} by "
        f"{count_words(most.ranks, 'rank')} ({format_seconds(most.other_s)} in calls that move no data)"
        + (f", and {count_words(len(often) - 1, 'other file')} likewise." if len(often) > 1 else "."),
        "Each open asks the server of names, and each close may wait for data.",
        "Keep it open.",
        summary.of_run(opening) if opening else _in_files(summary, often),
    )


def _in_files(summary: TraceSummary, often: list[FileRow]) -> float:
    """Where opens have no time of their own: of the files' slowest ranks in all but reads and writes."""
    slowest = {(one.file, one.interface): one.slowest.seconds for one in summary.spreads}
    return sum(
        min(row.other_s, slowest.get((row.file, row.interface), row.other_s / row.ranks)) for row in often
    )
