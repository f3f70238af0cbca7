"""One rank, or a few, have more to do than the others."""

import statistics
from collections.abc import Iterator

from weir.explain.remark import Remark, io_seconds
from weir.explain.summary import RankRow, Summary
from weir.units import format_bytes, format_seconds, format_share

TIMES_THE_MEDIAN = 2.0
LEAST_OF_RUN = 0.02


def remarks(summary: Summary) -> Iterator[Remark]:
    """A rank is twice as long in I/O calls as the median rank, and that is 2 % of the run.

    Processes that are no ranks have each a work of its own."""
    if len(summary.ranks) < 2 or not summary.head.ranked:
        return
    yield from _bytes(summary)
    slowest = max(summary.ranks, key=_seconds)
    median = statistics.median(_seconds(row) for row in summary.ranks)
    more = _seconds(slowest) - median
    if _seconds(slowest) > TIMES_THE_MEDIAN * median and more > LEAST_OF_RUN * summary.head.run_s:
        yield Remark(
            f"Rank {slowest.rank} is in I/O calls for {format_seconds(_seconds(slowest))}, the median "
            f"rank for {format_seconds(median)}.",
            "Spread the work of that rank over others, or find out what it waits for on the timeline.",
            more / io_seconds(summary),
        )


def _bytes(summary: Summary) -> Iterator[Remark]:
    """All bytes go through one rank of several."""
    moving = [row for row in summary.ranks if row.system_bytes > 0]
    if len(moving) == 1 and moving[0].system_bytes >= 2**20:
        yield Remark(
            f"Rank {moving[0].rank} moves all {format_bytes(moving[0].system_bytes)} by itself; "
            f"{_others(len(summary.ranks) - 1)} nothing.",
            "Let several ranks write: by collective calls, or the two-phase library (an aggregator a node).",
        )
    elif 1 < len(moving) < len(summary.ranks):
        yield Remark(
            f"{len(moving):,} of {len(summary.ranks):,} ranks move data between memory and files "
            f"({format_share(len(moving) / len(summary.ranks))}); the others do not."
        )


def _others(count: int) -> str:
    return "the other moves" if count == 1 else f"the {count:,} others move"


def _seconds(row: RankRow) -> float:
    return row.read_s + row.write_s + row.other_s
