"""What happened between the program's own marks."""

from weir.explain.page.section import Section, Table
from weir.explain.summary import Summary
from weir.units import format_seconds


def section(summary: Summary) -> Section | None:
    """All names of marks."""
    if not summary.marks:
        return None
    rows = [
        [row.name, f"{row.times:,}", format_seconds(row.total_s), format_seconds(row.longest_s)]
        for row in summary.marks
    ]
    return Section(
        25,
        "marks",
        "The program's own phases",
        f"Times are those of {summary.head.all} together.",
        tables=(Table(("phase", ">times", ">total time", ">longest"), rows),),
    )
