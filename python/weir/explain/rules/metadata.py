"""Time for files' names, opens and closes."""

from collections.abc import Iterator
from pathlib import PurePath

from weir.explain.layers import LayeredFile, layered
from weir.explain.remark import Remark, rule
from weir.explain.summary import TraceSummary
from weir.trace.model import CLOSE, OPEN, REMOVE, RENAME, STAT
from weir.units import count_words, format_seconds, format_share

from ._files import part_words
from ._path import weight

METADATA = (OPEN, CLOSE, STAT, REMOVE, RENAME)
IN_ONE_SUM = "metadata"
"""The kind of a log that measures opens, closes, seeks, stats and syncs in one sum."""
METADATA_SHARE = 0.3
WHY = "The servers of names and the locks of a shared file do this work one call after another."
HANGS = "A call that takes so long waits for something else: the other end of a pipe, a lock, a server."
LONG_OPEN_S = 10.0
"""No healthy server of names takes that long."""
FEWER = "Open fewer files, and each once: a shared file, or one for a group of ranks."


@rule(
    f"at least {format_share(METADATA_SHARE)} of the time in I/O calls is in opens, closes, stats, removes "
    "and "
    "renames; in a "
    "Darshan log, in the one sum that it has of opens, closes, seeks, stats and syncs",
    "Weir: as much as a third; Drishti speaks at 30 s in one file (metadata_time_rank), whatever the run "
    "takes",
)
def metadata(summary: TraceSummary) -> Iterator[Remark]:
    """From the calls, or from the sums of files."""
    if any(row.kind == IN_ONE_SUM for row in summary.operations):
        yield from _of_sums(summary)
        return
    rows = [row for row in summary.operations if row.kind in METADATA and not row.for_io]
    seconds = sum(row.total_s for row in rows)
    on_path = summary.path_s(lambda row: row.kind in METADATA)
    share, where = weight(summary, seconds, on_path)
    if share is None or share < METADATA_SHARE:
        return
    opens = sum(row.count for row in rows if row.kind == OPEN)
    longest = max(rows, key=lambda row: row.total_s)
    took = format_share(share) if where else part_words(seconds, summary.io_s)
    yield Remark(
        f"Metadata operations (open, close, stat, remove, rename) take {took} of the time in "
        f"{summary.head.io_calls}{where}: {format_seconds(seconds)} over {summary.head.all}, "
        f"{format_seconds(longest.total_s)} of it in {count_words(longest.count, 'call')} of {longest.name}.",
        WHY,
        FEWER if opens > summary.head.ranks else "",
        max(summary.of_run(seconds), on_path),
    )


def _of_sums(summary: TraceSummary) -> Iterator[Remark]:
    files = layered(summary.files)
    seconds = sum(file.outermost.sum("other_s") for file in files)
    share = summary.share_of_io(seconds)
    if share is None or share < METADATA_SHARE:
        return
    most = max(files, key=lambda file: file.outermost.sum("other_s"))
    opens = sum(int(file.outermost.sum("opens")) for file in files)
    yield Remark(
        f"Opens, closes, seeks, stats and syncs take {part_words(seconds, summary.io_s)} of the time in I/O "
        "calls: "
        f"{format_seconds(seconds)} over {summary.head.all}, for {count_words(opens, 'open')} of "
        f"{count_words(len(files), 'file')}.{_most(most, len(files))}{_beyond(summary, seconds)}",
        *_reason(most, opens, summary.head.ranks),
        seconds=summary.of_run(seconds),
    )


def _reason(most: LayeredFile, opens: int, ranks: int) -> tuple[str, str]:
    if most.outermost.sum("other_s") >= LONG_OPEN_S * max(1, most.outermost.sum("opens")):
        return HANGS, "Find out what it waits for: `weir trace` shows each call."
    return WHY, FEWER if opens > ranks else ""


def _most(file: LayeredFile, files: int) -> str:
    outer = file.outermost
    return (
        f" {PurePath(file.name).name} takes {'the most' if files > 1 else 'it'}: "
        f"{format_seconds(outer.sum('other_s'))} in {outer.interface} calls, with "
        f"{count_words(int(outer.sum('opens')), 'open')} by {count_words(outer.ranks, 'rank')}."
    )


def _beyond(summary: TraceSummary, seconds: float) -> str:
    """A sum of one rank's threads can exceed the run, as when each waits in the open of a pipe."""
    if seconds <= summary.head.whole_s or not summary.head.whole_s:
        return ""
    return " That is more than the ranks ran: calls of several threads lasted at the same time."
