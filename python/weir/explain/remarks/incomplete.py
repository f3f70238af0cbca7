"""What the trace lacks."""

import errno
import os
from collections.abc import Iterator

from weir.counts import count_words
from weir.explain.remark import Remark
from weir.explain.summary import Head, Summary
from weir.units import format_bytes, format_seconds

MOST = 4
_KNOWN = {
    errno.EFBIG: "the trace had reached its bound",
    errno.ENOLINK: "the process could not reach the trace any more",
    errno.EINTR: "signal handlers made them while the recorder was at work on the same thread",
}


def remarks(summary: Summary) -> Iterator[Remark]:
    """Ranks that did not end by themselves, and calls past the recorder's bound."""
    head = summary.head
    if head.unended:
        ranks = ", ".join(str(rank) for rank in head.unended[:8]) + (", …" if len(head.unended) > 8 else "")
        itself, was, its, it = (
            ("itself", "it was", "its", "it")
            if len(head.unended) == 1
            else ("themselves", "they were", "their", "they")
        )
        yield Remark(
            f"{len(head.unended):,} of {head.who} did not end by {itself} ({ranks}): "
            f"{was} killed, or ended by a system call of {its} own. What {it} had finished is here.",
            incomplete=True,
        )
    if head.calls_lost:
        yield Remark(
            f"{count_words(head.calls_lost, 'call')}{_from(head)} found no room, since {_why(head)}; "
            f"{'it is' if head.calls_lost == 1 else 'they are'} counted, and missing in all tables"
            f"{_calls(head)}.",
            _advice(head),
            incomplete=True,
        )


def _from(head: Head) -> str:
    return "" if head.lost_from_s is None else f" from {format_seconds(head.lost_from_s)} of the run on"


def _why(head: Head) -> str:
    reasons = [_KNOWN[why] for why in head.lost_why if why in _KNOWN]
    reasons += [f"the trace could not grow ({_error(why)})" for why in head.lost_why if why not in _KNOWN]
    return " or ".join(reasons) or "the trace had reached its bound or its disk was full"


def _error(number: int) -> str:
    return os.strerror(number) if number in errno.errorcode else f"error {number}"


def _where(head: Head) -> str:
    only_bound = set(head.lost_why) == {errno.EFBIG}
    return "with a greater --limit" if only_bound or not head.lost_why else "where there is more room (-o)"


def _advice(head: Head) -> str:
    mendable = not head.lost_why or set(head.lost_why) - {errno.ENOLINK, errno.EINTR}
    return f"Record {_where(head)}, or only the files that matter (--only)." if mendable else ""


def _calls(head: Head) -> str:
    most = sorted(head.lost, key=lambda row: -row.calls)
    told = "; ".join(
        f"{row.calls:,} of {row.call.partition(' ')[2]}"
        f"{f', {format_bytes(row.bytes)},' if row.bytes else ''} in {format_seconds(row.total_s)}"
        for row in most[:MOST]
    )
    return f": {told}{'; …' if len(most) > MOST else ''}" if told else ""
