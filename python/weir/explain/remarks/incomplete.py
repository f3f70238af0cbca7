"""What the trace lacks."""

from collections.abc import Iterator

from weir.explain.remark import Remark
from weir.explain.summary import Head, Summary
from weir.units import format_bytes, format_seconds

MOST = 4


def remarks(summary: Summary) -> Iterator[Remark]:
    """Ranks that did not end by themselves, and calls past the recorder's bound."""
    head = summary.head
    if head.unended:
        ranks = ", ".join(str(rank) for rank in head.unended[:8]) + (", …" if len(head.unended) > 8 else "")
        yield Remark(
            f"{len(head.unended)} of {head.who} did not end by themselves ({ranks}): "
            "they were killed. What they had finished is here.",
            incomplete=True,
        )
    if head.calls_lost:
        yield Remark(
            f"{head.calls_lost:,} calls found no room, since the trace had reached its bound or its disk "
            f"was full; they are counted, and missing in all tables{_calls(head)}.",
            "Record with a greater --limit, or only the files that matter (--only).",
            incomplete=True,
        )


def _calls(head: Head) -> str:
    most = sorted(head.lost, key=lambda row: -row.calls)
    told = "; ".join(
        f"{row.calls:,} of {row.call.partition(' ')[2]}"
        f"{f', {format_bytes(row.bytes)},' if row.bytes else ''} in {format_seconds(row.total_s)}"
        for row in most[:MOST]
    )
    return f": {told}{'; …' if len(most) > MOST else ''}" if told else ""
