"""What each function was called how often, and how long it took: table 1 of Thakur et al. (1996)."""

from weir.explain.page.section import Section, Table
from weir.explain.summary import OperationRow, Summary
from weir.units import format_bytes, format_seconds, format_share


def section(summary: Summary) -> Section | None:
    """All functions, those of the longest time first."""
    if not summary.operations:
        return None
    whole = summary.head.whole_s
    words = (
        f"Times are those of {summary.head.all} together. Calls that a library made inside its own I/O calls "
        "are marked “for I/O”; their time is also in that of the calls around them, whose own time is "
        "without it."
    )
    headings = (
        "interface",
        "operation",
        "call",
        ">count",
        ">failed",
        ">total time",
        ">own time",
        f">mean per {summary.head.one}",
        ">share of run",
        ">moved",
    )
    return Section(
        20,
        "operations",
        "Operations",
        words,
        tables=(Table(headings, [_cells(row, whole) for row in summary.operations]),),
    )


def _cells(row: OperationRow, whole: float) -> list[str]:
    return [
        row.interface,
        f"{row.kind} (for I/O)" if row.for_io else row.kind,
        row.name,
        f"{row.count:,}",
        f"{row.failed:,}" if row.failed else "",
        format_seconds(row.total_s),
        "" if row.own_s is None or row.own_s == row.total_s else format_seconds(row.own_s),
        format_seconds(row.per_rank_s),
        format_share(row.total_s / whole) if whole > 0 else "",
        format_bytes(row.bytes) if row.bytes else "",
    ]
