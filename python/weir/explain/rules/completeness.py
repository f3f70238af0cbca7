"""What the trace lacks: ranks that did not end, calls that found no room, and what no call was seen of."""

import errno
import os
from collections.abc import Iterator

from weir.explain.remark import Remark, rule
from weir.explain.summary import Head, TraceSummary
from weir.trace.unseen import Unseen
from weir.units import count_words, format_bytes, format_seconds, more_words

CALLS = 4
_KNOWN = {
    errno.EFBIG: "the trace had reached its bound",
    errno.ENOLINK: "the process could not reach the trace any more",
    errno.EINTR: "signal handlers made them while the recorder was at work on the same thread",
}


@rule("a rank did not end by itself, or calls were counted and not recorded", "any of it may hide the cause")
def incomplete(summary: TraceSummary) -> Iterator[Remark]:
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
            f"{was} killed, or ended by a system call of {its} own. What {it} had finished is in the trace.",
            incomplete=True,
        )
    if head.calls_lost:
        yield Remark(
            f"{count_words(head.calls_lost, 'call')}{_from(head)} found no room, since {_why(head)}; "
            f"{'it is' if head.calls_lost == 1 else 'they are'} counted, and missing in all tables"
            f"{_calls(head)}.",
            advice=_advice(head),
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
        for row in most[:CALLS]
    )
    return f": {told}{'; …' if len(most) > CALLS else ''}" if told else ""


PROGRAMS = 6
RINGS = {"io_uring": "io_uring", "libaio": "Linux's asynchronous I/O (libaio)"}
NOT_LOADED = {
    "static": (
        "it is linked statically",
        "Link it dynamically (without -static; on Cray: -dynamic, or CRAYPE_LINK_TYPE=dynamic).",
    ),
    "rights": (
        "it runs with rights of its own (set-uid, set-gid or file capabilities), and the system then loads "
        "no recorder",
        "Record a copy without them: cp PROGRAM copy.",
    ),
    "left": (
        "a process executed it (exec), and it did not load the recorder (it is linked statically, runs with "
        "rights of its own, or has an environment of its own)",
        "",
    ),
}


@rule(
    "a program did not load the recorder, or the kernel counts bytes of which no call was seen",
    "any of it may hide the cause",
)
def unseen(summary: TraceSummary) -> Iterator[Remark]:
    """Programs that did not load the recorder, and calls that passed it."""
    running = [one.program for one in summary.head.unseen if one.reason == "running"]
    if running:
        yield _still_run(running)
    others = [one for one in summary.head.unseen if one.reason != "running"]
    for one in others[:PROGRAMS]:
        yield _unseen(one)
    more = len(others) - PROGRAMS
    if more > 0:
        yield Remark(f"The same holds for {more_words(more, 'program')}.", incomplete=True)


def _still_run(programs: list[str]) -> Remark:
    more = f" and {len(programs) - PROGRAMS:,} more" if len(programs) > PROGRAMS else ""
    return Remark(
        f"Still running when the program had ended: {', '.join(programs[:PROGRAMS])}{more}. The trace "
        "holds what was recorded of it until now.",
        advice="The trace grows until then: look at it again when all has ended.",
        incomplete=True,
    )


def _unseen(one: Unseen) -> Remark:
    many = f" ({one.times:,} times)" if one.times > 1 else ""
    if one.reason == "kernel":
        return Remark(_counted(one), advice=_ways_past(one), incomplete=True)
    if one.reason in NOT_LOADED:
        why, advice = NOT_LOADED[one.reason]
        return Remark(
            f"{one.program} was started{many} and is not recorded: {why}.", advice=advice, incomplete=True
        )
    if one.reason in RINGS:
        return Remark(
            f"{one.program}{many} set up a ring of requests of {RINGS[one.reason]}: what it read and wrote "
            "through it is not recorded.",
            advice="Choose another I/O method in the program, if it has one, to see what it asks for.",
            incomplete=True,
        )
    if one.reason == "misplaced":
        return Remark(
            f"Some of what {one.program}{many} appended to files landed at other offsets than recorded: "
            "others wrote to the files while the C library still held it.",
            advice="Flush a stream after each write that must stay whole (fflush, setvbuf).",
            incomplete=True,
        )
    if one.reason == "silent":
        return Remark(
            f"{one.program}{many} could write nothing to the trace: its disk was full. None of its calls is "
            "recorded.",
            advice="Record where there is more room (-o).",
            incomplete=True,
        )
    return Remark(
        f"{one.program}{many}: {one.reason}. Calls of it and of its children since then that found no room "
        "in what it held of the trace are counted and not recorded.",
        incomplete=True,
    )


def _counted(one: Unseen) -> str:
    parts = [
        f"{format_bytes(count)} {verb}"
        for count, verb in ((one.written, "written"), (one.read, "read"))
        if count
    ]
    return f"{one.program}: the kernel counts {' and '.join(parts)} of which no call was seen."


def _ways_past(one: Unseen) -> str:
    if one.others:
        names = ", ".join(one.others[:4]) + (", …" if len(one.others) > 4 else "")
        return f"It started programs that did not load the recorder, or makes system calls directly: {names}."
    return (
        "It makes system calls directly (as Go does), or started programs that did not load the recorder. "
        "strace -f shows them."
    )
