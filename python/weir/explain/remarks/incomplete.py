"""What the trace lacks."""

from collections.abc import Iterator

from weir.explain.remark import Remark
from weir.explain.summary import Summary


def remarks(summary: Summary) -> Iterator[Remark]:
    """Ranks that did not end by themselves, and calls past the recorder's bound."""
    head = summary.head
    if head.unended:
        ranks = ", ".join(str(rank) for rank in head.unended[:8]) + (", …" if len(head.unended) > 8 else "")
        yield Remark(
            f"{len(head.unended)} of {head.who} did not end by themselves ({ranks}): "
            "they were killed. What they had finished is here."
        )
    if head.calls_lost:
        yield Remark(
            f"{head.calls_lost:,} calls found no room, since the trace had reached its bound or its disk "
            "was full; they are counted, and missing in all tables.",
            "Record with a greater --limit, or only the files that matter (--only).",
        )
