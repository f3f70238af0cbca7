"""What the program did, in a sentence."""

from pathlib import PurePath

from weir.counts import count_words
from weir.explain.remark import share_of_run
from weir.explain.summary import Head, Summary
from weir.results.words import join_words
from weir.units import format_bytes, format_share

TITLE_LETTERS = 90
NO_BREAK = "\u00a0"


def title_of(head: Head) -> str:
    """The command, its program without folders, cut where it is long."""
    first, _, rest = head.command.partition(" ")
    words = f"{PurePath(first).name} {rest}".strip() or head.name
    return words if len(words) <= TITLE_LETTERS else f"{words[:TITLE_LETTERS]}…"


def where(head: Head) -> str:
    """The host, or how many."""
    return head.hosts[0] if len(head.hosts) == 1 else count_words(len(head.hosts), "host")


def sentence(summary: Summary) -> str:
    """Who ran where how long, what was moved, and how long that took."""
    head = summary.head
    read = sum(row.bytes_read for row in summary.ranks)
    written = sum(row.bytes_written for row in summary.ranks)
    share = share_of_run(summary)
    took = "took {} of the time" if head.calls_lost else "spent {} of the time in I/O calls"
    did = [
        f"read {format_bytes(read)}" if read else "",
        f"wrote {format_bytes(written)}" if written else "",
        "" if share is None else took.format(format_share(share)),
    ]
    words = join_words([one for one in did if one]).replace(" %", NO_BREAK + "%")
    ran = f"{head.who} on {where(head)} ran for {head.how_long}"
    if head.calls_lost and words:
        return f"{ran}; {head.how_many}: those recorded {words}."
    return f"{ran}, {words}; {head.how_many}." if words else f"{ran}; {head.how_many}."
