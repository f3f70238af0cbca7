"""The critical path: which rank all others waited for, and its I/O calls meanwhile."""

from weir.explain.critical_path.rows import CriticalPath
from weir.explain.section import PageSection, PageTable, page_section
from weir.explain.summary import TraceSummary
from weir.units import count_words, format_seconds, format_share

HEADINGS = (">rank", "call", "~file", ">calls", ">time", ">share of path", ">while others wait")
MOST = 16


@page_section(14)
def section(summary: TraceSummary) -> PageSection | None:
    """Its longest I/O calls, by rank and file."""
    path = summary.path
    if path is None or not path.calls:
        return None
    return PageSection(
        "critical-path",
        "Critical path",
        path_words(path),
        table=PageTable(HEADINGS, rows_of(path), "Only the longest are listed." if _more(path) else ""),
    )


def path_words(path: CriticalPath) -> str:
    """What it is, and what it is made of."""
    return (
        f"At each time the rank that the others waited for in a collective call. It goes through "
        f"{count_words(len(path.ranks), 'rank')} and takes {format_seconds(path.length_s)}: I/O calls "
        f"{format_share(path.io_s / path.length_s)}, other calls of MPI "
        f"{format_share(path.communication_s / path.length_s)}."
    )


def rows_of(path: CriticalPath) -> list[list[str]]:
    """The longest I/O calls on it."""
    return [
        [
            f"{row.rank}",
            row.name,
            row.file,
            f"{row.calls:,}",
            format_seconds(row.seconds),
            format_share(row.seconds / path.length_s),
            format_seconds(row.alone_s),
        ]
        for row in path.calls[:MOST]
    ]


def _more(path: CriticalPath) -> bool:
    return len(path.calls) > MOST
