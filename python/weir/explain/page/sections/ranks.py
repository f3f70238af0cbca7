"""What each rank did."""

from weir.explain.page.section import Section, Table
from weir.explain.summary import Head, RankRow, Summary
from weir.units import format_bytes, format_seconds

HEADINGS = (
    ">read",
    ">written",
    ">moved by itself",
    ">reading",
    ">writing",
    ">other I/O",
    ">all I/O",
    ">communication",
)
MOST = 32


def section(summary: Summary) -> Section | None:
    """All ranks; of many, those that were longest in I/O calls."""
    if not summary.ranks:
        return None
    shown = sorted(summary.ranks, key=_io_s, reverse=True)[:MOST]
    left = len(summary.ranks) - len(shown)
    if not left:
        shown = list(summary.ranks)
    return Section(
        50,
        "ranks",
        "Ranks" if summary.head.ranked else "Processes",
        f"Only calls that the program itself made are counted; what a {summary.head.one} moved by itself is "
        "what its calls of the system moved, also for others.",
        tables=(
            Table(
                (f">{summary.head.one}", *HEADINGS),
                [_cells(row) for row in shown],
                _left(left, summary.head) if left else "",
            ),
        ),
    )


def _left(left: int, head: Head) -> str:
    others = f"other {head.one} was" if left == 1 else f"other {left:,} {head.who.split(' ')[1]} were"
    return f"The {others} less long in I/O calls; all are in what `weir explain --json` prints."


def _io_s(row: RankRow) -> float:
    return row.read_s + row.write_s + row.other_s


def _cells(row: RankRow) -> list[str]:
    return [
        f"{row.rank}",
        format_bytes(row.bytes_read) if row.bytes_read else "",
        format_bytes(row.bytes_written) if row.bytes_written else "",
        format_bytes(row.system_bytes) if row.system_bytes else "",
        format_seconds(row.read_s),
        format_seconds(row.write_s),
        format_seconds(row.other_s),
        format_seconds(_io_s(row)),
        format_seconds(row.communication_s),
    ]
