"""Time for files' names, opens and closes."""

from collections.abc import Iterator

from weir.answers.answer import Answer, Evidence
from weir.explain.layers import LayeredFile, layered
from weir.explain.rule import Remedy, costs, rule
from weir.explain.summary import TraceSummary
from weir.trace.model import CLOSE, OPEN, REMOVE, RENAME, STAT
from weir.units import format_share

from ._files import file_name
from ._path import weight

METADATA = (OPEN, CLOSE, STAT, REMOVE, RENAME)
IN_ONE_SUM = "metadata"
"""The kind of a log that measures opens, closes, seeks, stats and syncs in one sum."""
METADATA_SHARE = 0.3
WHY = "servers of names and locks do this one by one"
LONG_OPEN_S = 10.0
"""No healthy server of names takes that long."""


@rule(
    title="Metadata calls, {subject}",
    remedies={
        "open-fewer": Remedy("open fewer files, each once; opens now: {opens}", WHY),
        "names-served": Remedy("", WHY),
        "find-wait": Remedy(
            "find what it waits for: `weir trace` shows each call",
            "so long a call waits: a pipe, a lock, a server",
        ),
    },
    speaks=f"at least {format_share(METADATA_SHARE)} of the time in I/O calls is in opens, closes, stats, "
    "removes "
    "and renames; in a Darshan log, in the one sum that it has of opens, closes, seeks, stats and syncs",
    source="Weir: as much as a third; Drishti speaks at 30 s in one file (metadata_time_rank), whatever "
    "the run "
    "takes",
)
def metadata(summary: TraceSummary) -> Iterator[Answer]:
    """From the calls, or from the sums of files."""
    if any(row.kind == IN_ONE_SUM for row in summary.operations):
        yield from _of_sums(summary)
        return
    rows = [row for row in summary.operations if row.kind in METADATA and not row.for_io]
    seconds = sum(row.total_s for row in rows)
    on_path = summary.path_s(lambda row: row.kind in METADATA)
    share, label = weight(summary, seconds, on_path)
    if share is None or share < METADATA_SHARE:
        return
    opens = sum(row.count for row in rows if row.kind == OPEN)
    longest = max(rows, key=lambda row: row.total_s)
    yield costs(
        "metadata",
        (longest.name,),
        max(summary.of_run(seconds), on_path),
        "open-fewer" if opens > summary.head.ranks else "names-served",
        (
            Evidence(label, share, "share"),
            Evidence(f"all of them over {summary.head.all}", seconds, "s"),
            Evidence("opens", opens),
            Evidence(f"calls of {longest.name}", longest.count),
            Evidence(f"{longest.name} over {summary.head.all}", longest.total_s, "s"),
        ),
        opens=f"{opens:,}",
    )


def _of_sums(summary: TraceSummary) -> Iterator[Answer]:
    files = layered(summary.files)
    seconds = sum(file.outermost.sum("other_s") for file in files)
    share = summary.share_of_io(seconds)
    if share is None or share < METADATA_SHARE:
        return
    most = max(files, key=lambda file: file.outermost.sum("other_s"))
    opens, name = sum(int(file.outermost.sum("opens")) for file in files), file_name(most.name)
    yield costs(
        "metadata",
        (name,),
        summary.of_run(seconds),
        _remedy(most, opens, summary.head.ranks),
        (
            Evidence("share of time in I/O calls", share, "share"),
            Evidence(f"all of them over {summary.head.all}", seconds, "s"),
            Evidence("opens", opens),
            Evidence("files", len(files)),
            Evidence(f"{most.outermost.interface} calls on {name}", most.outermost.sum("other_s"), "s"),
            Evidence(f"opens of {name}", int(most.outermost.sum("opens"))),
            Evidence(f"ranks that use {name}", most.outermost.ranks),
            *_beyond(summary, seconds),
        ),
        opens=f"{opens:,}",
    )


def _remedy(most: LayeredFile, opens: int, ranks: int) -> str:
    if most.outermost.sum("other_s") >= LONG_OPEN_S * max(1, most.outermost.sum("opens")):
        return "find-wait"
    return "open-fewer" if opens > ranks else "names-served"


def _beyond(summary: TraceSummary, seconds: float) -> tuple[Evidence, ...]:
    """A sum of one rank's threads can exceed the run, as when each waits in the open of a pipe."""
    if seconds <= summary.head.whole_s or not summary.head.whole_s:
        return ()
    return (Evidence("at a time", "several threads, more than the ranks ran"),)
